/** The eight sections as the model is asked for them; written down here, so that the product's own list is checked by it. */
const sections = [
  'Technical Context',
  'Project Overview',
  'Code Changes',
  'Debugging & Issues',
  'Current Status',
  'Pending Tasks',
  'User Preferences',
  'Key Decisions',
];

/** What a good model answers when it is asked for a summary. */
export const goodSummary = sections.map((name) => `## ${name}\nThe model notes what matters about ${name.toLowerCase()}.`).join('\n\n');
