/** The `data` of a response as JSON text, because it is too large to be held as objects as well. */
export class RenderedData {
  readonly json: string;
  /** To be called once the response has been written, or given up. */
  readonly written: () => void;

  constructor(json: string, written: () => void) {
    this.json = json;
    this.written = written;
  }
}
