import { type Fields, isString } from '../../../domain/value/json.ts';
import { arrayAt, objectAt, stringAt } from './recorded-content.ts';

type Node = {
  readonly uuid: string;
  readonly parent: string | null;
  readonly logicalParent: string;
  readonly sessionId: string;
  readonly begins: boolean;
  readonly replyId: string;
  readonly calls: readonly string[];
  readonly answers: readonly string[];
  readonly isAside: boolean;
  readonly isBack: boolean;
};

/** What the links between lines say of a conversation. */
type Tree = {
  /** The uuids of the lines that the conversation no longer holds. */
  readonly left: ReadonlySet<string>;
  /** The lines, each after the one that it follows; as they stand where that is so already. */
  readonly inOrder: (entries: Iterable<Fields>) => Iterable<Fields>;
};

type BranchRules = {
  readonly isMain: (entry: Fields) => boolean;
  readonly begins: (entry: Fields) => boolean;
  readonly isLeaf: (entry: Fields) => boolean;
  /** What the program itself put between what was said. A branch of nothing else was never left. */
  readonly isAside: (entry: Fields) => boolean;
};

/**
 * The conversation no longer holds what stands beside the way from the last line to the first. A line whose parent
 * the file does not have follows the line before it. The parts of one reply and the results of its calls are on the way together, however
 * they hang on each other, since calls that ran side by side fork the tree. Where links say nothing, nothing is taken for rewound.
 */
export function linesInTree(entries: Iterable<Fields>, rules: BranchRules): Tree {
  const nodes = new Map<string, Node>();
  const order: Node[] = [];
  const before = new Set<string>();
  let leaf: Node | undefined;
  let isLate = false;
  for (const entry of entries) {
    const uuid = stringAt(entry, 'uuid');
    if (uuid === '' || nodes.has(uuid) || !rules.isMain(entry)) continue;
    const node = nodeOf(uuid, entry, rules);
    nodes.set(uuid, node);
    order.push(node);
    isLate ||= before.has(uuid);
    before.add(node.parent ?? '');
    if (rules.isLeaf(entry)) leaf = node;
  }
  const inOrder: Tree['inOrder'] = isLate ? parentsFirst : (lines) => lines;
  if (leaf === undefined || order.every(({ parent }) => parent === null)) return { left: new Set(), inOrder };
  const kept = wayTo(isLate ? lastAfter(leaf, order) : leaf, nodes, order);
  addWholeReplies(kept, order);
  return { left: leftBranches(order, kept), inOrder };
}

/** What follows the last line was written before it, and is no branch that was left. A circle has no end. */
function lastAfter(leaf: Node, order: readonly Node[]): Node {
  const followers = new Map(order.map((node) => [node.parent, node]));
  const seen = new Set([leaf]);
  let last = leaf;
  for (let next = followers.get(leaf.uuid); next !== undefined; next = followers.get(next.uuid)) {
    if (seen.has(next)) return leaf;
    seen.add(next);
    last = next;
  }
  return last;
}

function* parentsFirst(entries: Iterable<Fields>): Generator<Fields> {
  const all = [...entries];
  const byId = new Map(all.map((entry) => [stringAt(entry, 'uuid'), entry]));
  byId.delete('');
  const done = new Set<Fields>();
  const circling = new Set<Fields>();
  for (const entry of all) {
    const way = new Set<Fields>();
    let at: Fields | undefined = circling.has(entry) ? undefined : entry;
    for (; at !== undefined && !way.has(at) && !done.has(at) && !circling.has(at); at = byId.get(stringAt(at, 'parentUuid'))) way.add(at);
    if (at !== undefined && way.has(at)) for (const each of way) circling.add(each);
    for (const each of circling.has(entry) ? [entry] : [...way].reverse()) {
      done.add(each);
      yield each;
    }
  }
}

function leftBranches(order: readonly Node[], kept: ReadonlySet<string>): ReadonlySet<string> {
  const tops = new Map<string, string>();
  const spoken = new Set<string>();
  const beside = order.filter(({ uuid }) => !kept.has(uuid));
  for (const { uuid, parent, isAside } of beside) {
    const top = tops.get(parent ?? '') ?? uuid;
    tops.set(uuid, top);
    if (!isAside) spoken.add(top);
  }
  return new Set(beside.map(({ uuid }) => uuid).filter((uuid) => spoken.has(tops.get(uuid) ?? '')));
}

function nodeOf(uuid: string, entry: Fields, { begins, isAside }: BranchRules): Node {
  const message = objectAt(entry, 'message');
  const blocks = [...arrayAt(message, 'content'), ...arrayAt(message, 'parts')];
  const idsOf = (type: string, key: string): readonly string[] =>
    blocks.filter((block) => stringAt(block, 'type') === type).map((block) => stringAt(block, key));
  const answers = idsOf('tool_result', 'tool_use_id');
  return {
    uuid,
    parent: isString(entry.parentUuid) ? entry.parentUuid : null,
    logicalParent: stringAt(entry, 'logicalParentUuid'),
    sessionId: stringAt(entry, 'sessionId'),
    begins: begins(entry) && answers.length === 0,
    replyId: entry.type === 'assistant' ? stringAt(message, 'id') : '',
    calls: idsOf('tool_use', 'id'),
    answers,
    isAside: isAside(entry),
    isBack: entry.subtype === 'rewind',
  };
}

/**
 * What begins without a parent begins the conversation anew, but not that of another session, which is a file behind a file; and so does
 * going back to what is not there.
 */
function wayTo(leaf: Node, nodes: ReadonlyMap<string, Node>, order: readonly Node[]): Set<string> {
  const places = new Map(order.map((node, place) => [node.uuid, place]));
  const kept = new Set<string>();
  for (let node: Node | undefined = leaf; node !== undefined && !kept.has(node.uuid); ) {
    kept.add(node.uuid);
    const before: Node | undefined = order[(places.get(node.uuid) ?? 0) - 1];
    const named: Node | undefined = nodes.get(node.parent ?? node.logicalParent);
    // What follows itself says nothing of its place.
    const parent: Node | undefined = named !== undefined && kept.has(named.uuid) ? undefined : named;
    const isFirst: boolean = node.parent === null && node.begins && before?.sessionId === node.sessionId;
    node = parent ?? (isFirst || node.isBack ? undefined : before);
  }
  return kept;
}

function addWholeReplies(kept: Set<string>, order: readonly Node[]): void {
  const onWay = order.filter(({ uuid }) => kept.has(uuid));
  const replies = new Set(onWay.map(({ replyId }) => replyId).filter((id) => id !== ''));
  const calls = new Set(onWay.flatMap((node) => node.calls));
  for (const { uuid, replyId, calls: own, answers } of order) {
    const isPart = replies.has(replyId) || (answers.length > 0 && answers.every((id) => calls.has(id)));
    if (!isPart) continue;
    kept.add(uuid);
    for (const id of own) calls.add(id);
  }
}
