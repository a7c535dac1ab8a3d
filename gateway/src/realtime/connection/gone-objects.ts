/** The object that a packet concerns, and what happens to it. Ids are bare. */
export type About = {
  operation: 'create' | 'update' | 'delete';
  id: string;
  /** The containing objects: a message's conversation; a part's message and conversation. */
  within: readonly string[];
  /** The change number in the conversation; undefined: the packet has none, or shows the present state. */
  seq: number | undefined;
  /** The creation of a message, which brings a hidden conversation back. */
  isMessage?: boolean;
  /** The deletion for all, which also reaches users who had hidden the object. */
  isForAll?: boolean;
};

type Gone = {
  /** Number of the change that removed it. */
  seq: number;
  isForAll: boolean;
};

/** Most gone objects that are remembered for one socket. The oldest are forgotten first. */
const MAX_GONE = 1_000;

/**
 * Objects that one client knows are gone. Events may come twice, late, or for users who have hidden the object: the client gets no further
 * packets about such an object until it is created anew. docs/protocol/websocket.md#changes
 */
export class GoneObjects {
  readonly #gone = new Map<string, Gone>();

  /** Whether a change before `seq` told the client that the object is gone. */
  has(id: string, seq: number): boolean {
    return this.#gone.size > 0 && (this.#gone.get(id)?.seq ?? Infinity) < seq;
  }

  /** Whether a packet may be sent. If so, records what it creates or deletes. */
  admits({ operation, id, within, seq = Infinity, isMessage = false, isForAll = false }: About): boolean {
    if (this.#gone.size > 0) {
      if (operation === 'create' && isMessage) return this.#bringsBack([id, ...within], seq);
      if (within.some((one) => this.#gone.has(one))) return false;
      if (operation === 'create') return this.#bringsBack([id], seq);
      const gone = this.#gone.get(id);
      if (gone && (gone.isForAll || !isForAll)) return false;
    }
    if (operation === 'delete') this.#add(id, { seq: seq === Infinity ? 0 : seq, isForAll });
    return true;
  }

  /** False if an object was removed by a later change than this one. */
  #bringsBack(ids: readonly string[], seq: number): boolean {
    if (ids.some((id) => (this.#gone.get(id)?.seq ?? -1) > seq)) return false;
    for (const id of ids) this.#gone.delete(id);
    return true;
  }

  #add(id: string, gone: Gone): void {
    this.#gone.set(id, gone);
    if (this.#gone.size <= MAX_GONE) return;
    const [first] = this.#gone.keys();
    if (first !== undefined) this.#gone.delete(first);
  }
}
