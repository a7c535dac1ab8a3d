/** The object that a packet is about, and what is done to it. Ids are bare. */
export type About = {
  operation: 'create' | 'update' | 'delete';
  id: string;
  /** The objects that contain it: a message's conversation; a part's message and conversation. */
  within: readonly string[];
  /** The change's number in the conversation; undefined: the packet has no such number, or tells the present state. */
  seq: number | undefined;
  /** The creation of a message, which brings a hidden conversation back. */
  isMessage?: boolean;
  /** The deletion for all, which also goes to users who had hidden the object. */
  isForAll?: boolean;
};

type Gone = {
  /** Number of the change by which it went. */
  seq: number;
  isForAll: boolean;
};

/** Number of gone objects that one socket remembers. The oldest are forgotten first. */
const MAX_GONE = 1_000;

/**
 * The objects of which one client was told that they are gone. Events come a second time, late, or for users who have hidden
 * what the event is about: a client gets no packet about such an object until it is created anew.
 * docs/protocol/websocket.md#changes
 */
export class GoneObjects {
  readonly #gone = new Map<string, Gone>();

  /** Whether a change before `seq` told the client that an object is gone. */
  has(id: string, seq: number): boolean {
    return this.#gone.size > 0 && (this.#gone.get(id)?.seq ?? Infinity) < seq;
  }

  /** Whether a packet may be sent. If so, notes what it creates or deletes. */
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

  /** False: an object went after the change that speaks of it. */
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
