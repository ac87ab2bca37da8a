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
};

type BranchRules = {
  readonly isMain: (entry: Fields) => boolean;
  readonly begins: (entry: Fields) => boolean;
  readonly isLeaf: (entry: Fields) => boolean;
  /** What the program itself put between what was said. A branch of nothing else was never left. */
  readonly isAside: (entry: Fields) => boolean;
};

/**
 * The uuids of the lines that the conversation no longer holds: those beside the way from the last line to the first. A line whose parent
 * the file does not have follows the line before it. The parts of one reply and the results of its calls are on the way together, however
 * they hang on each other, since calls that ran side by side fork the tree. Where links say nothing, nothing is taken for rewound.
 */
export function rewoundLines(entries: Iterable<Fields>, rules: BranchRules): ReadonlySet<string> {
  const nodes = new Map<string, Node>();
  const order: Node[] = [];
  let leaf: Node | undefined;
  for (const entry of entries) {
    const uuid = stringAt(entry, 'uuid');
    if (uuid === '' || nodes.has(uuid) || !rules.isMain(entry)) continue;
    const node = nodeOf(uuid, entry, rules);
    nodes.set(uuid, node);
    order.push(node);
    if (rules.isLeaf(entry)) leaf = node;
  }
  if (leaf === undefined || order.every(({ parent }) => parent === null)) return new Set();
  const kept = wayTo(leaf, nodes, order);
  addWholeReplies(kept, order);
  return leftBranches(order, kept);
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
  };
}

/** What begins without a parent begins the conversation anew, but not that of another session, which is a file behind a file. */
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
    node = parent ?? (isFirst ? undefined : before);
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
