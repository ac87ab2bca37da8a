/** A heap of pairs, the lowest rank first and of equals the leftmost. Each is one number: a rank below 2^18 and a place below 2^12. */
export type RankHeap = {
  readonly clear: () => void;
  readonly push: (rank: number, place: number) => void;
  /** Takes the first out and returns its place; -1 when there is none. */
  readonly pop: () => number;
  /** The rank of the last that was taken out. */
  readonly poppedRank: () => number;
};

const PLACE_BITS = 12;
const PLACE_MASK = (1 << PLACE_BITS) - 1;
/** Each merge puts two pairs in anew. */
const PUSHES_PER_PLACE = 3;

/** Nothing is allocated once it is made. */
export function createRankHeap(places: number): RankHeap {
  const keys = new Int32Array(places * PUSHES_PER_PLACE + 1);
  let size = 0;
  let popped = 0;
  const sinkFromTop = (key: number): void => {
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && (keys[child + 1] ?? 0) < (keys[child] ?? 0)) child += 1;
      const smaller = keys[child] ?? 0;
      if (key <= smaller) break;
      keys[at] = smaller;
      at = child;
    }
    keys[at] = key;
  };
  return {
    clear: () => {
      size = 0;
    },
    push: (rank, place) => {
      const key = rank * (PLACE_MASK + 1) + place;
      let at = size++;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        const above = keys[parent] ?? 0;
        if (above <= key) break;
        keys[at] = above;
        at = parent;
      }
      keys[at] = key;
    },
    pop: () => {
      if (size === 0) return -1;
      popped = keys[0] ?? 0;
      size -= 1;
      if (size > 0) sinkFromTop(keys[size] ?? 0);
      return popped & PLACE_MASK;
    },
    poppedRank: () => popped >> PLACE_BITS,
  };
}
