/** `unknown`: no such cell or node. `impossible`: the move would fail or lose something. `busy`: the cell is moving to another node. */
export type Reason = 'unknown' | 'impossible' | 'busy';

/** The reason why a cell is not moved. */
export class MoveRefusal extends Error {
  readonly reason: Reason;
  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}
