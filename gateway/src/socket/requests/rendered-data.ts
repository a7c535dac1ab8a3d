/** The `data` of a response that is JSON already, because it is too large to be held as objects and as text. */
export class RenderedData {
  readonly json: string;
  /** To be called once the response is written, or will not be. */
  readonly written: () => void;

  constructor(json: string, written: () => void) {
    this.json = json;
    this.written = written;
  }
}
