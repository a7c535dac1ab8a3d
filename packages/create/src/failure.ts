/** A failure that the person at the terminal can do something about; its message is shown without a stack. */
export class Failure extends Error {
  override readonly name = 'Failure';
}
