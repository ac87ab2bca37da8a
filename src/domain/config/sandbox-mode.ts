/** Whether commands run in a sandbox: where there is one, always, never. Apart from the schemas, so that --help loads none of them. */
export const sandboxModes = ['auto', 'on', 'off'] as const;

/** What a command may ask for beyond the sandbox: the network, the git folder of its repository where that lies outside, or to run outside of it. */
export const sandboxNeeds = ['network', 'repository', 'everything'] as const;
export type SandboxNeeds = (typeof sandboxNeeds)[number];
