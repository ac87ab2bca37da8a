/** Statements and calls that take away what a database holds. */
const OBJECTS: ReadonlySet<string> = new Set(
  'table database schema view index user role collection keyspace column materialized sequence partition'.split(' '),
);
const METHODS: ReadonlySet<string> = new Set('dropdatabase drop deletemany deleteone remove findoneanddelete updatemany'.split(' '));

/** True for a text in which a statement of SQL, or a call as MongoDB's shell takes it, deletes or overwrites. */
export const destroysRecords = (text: string): boolean => text.split(';').some(isDestroying);

function isDestroying(statement: string): boolean {
  const words = withoutComments(statement)
    .toLowerCase()
    .split(/[^\w.$]+/)
    .filter((word) => word !== '');
  const [first = ''] = words;
  switch (first) {
    case 'drop':
    case 'truncate':
      return true;
    case 'update':
      return words.includes('set');
    case 'delete':
    case 'with':
      return words.some((word, at) => word === 'delete' && words[at + 1] === 'from');
    case 'alter':
      return words.some((word, at) => word === 'drop' && OBJECTS.has(words[at + 1] ?? ''));
    default:
      return callsMethod(statement);
  }
}

/** `db.users.deleteMany({})` */
function callsMethod(statement: string): boolean {
  const pieces = statement.toLowerCase().split('(');
  return /\bdb\b/.test(statement) && pieces.some((piece) => METHODS.has(piece.slice(piece.lastIndexOf('.') + 1).trim()));
}

const withoutComments = (statement: string): string => statement.replace(/--[^\n]*/g, ' ').replace(/^\s*\\\w+\s*/, '');
