/** The `data` of a response as JSON text. */
export class RenderedData {
  readonly json: string;
  /** To be called once the response has been written or abandoned. */
  readonly written: (() => void) | undefined;

  constructor(json: string, written?: () => void) {
    this.json = json;
    this.written = written;
  }
}
