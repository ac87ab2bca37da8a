/** Returns a name as file systems see it that ignore case, Unicode forms, characters without a look, and dots and blanks at the end. */
export const plainName = (part: string): string =>
  part
    .normalize('NFC')
    .replace(UNSEEN, '')
    // By way of the capitals, letters such as ſ become the plain ones that they fold to.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
    .replace(STREAM, '')
    .replace(/[. ]{1,255}$/, '');

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
/** On NTFS, what follows a colon names a part of the same file. */
const STREAM = /(?<=.):.*$/s;
