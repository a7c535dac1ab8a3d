import { request, type ClientRequest, type IncomingMessage } from 'node:http';

export type SlowPut = {
  /** Hands bytes to the connection; resolves when they are on their way. */
  write(data: Uint8Array): Promise<void>;
  end(): void;
  /** The connection ends in the middle of the body. */
  cut(): void;
  /** The status of the answer; undefined when the connection broke first. */
  answer: Promise<number | undefined>;
};

/** A PUT whose body comes when the test says so. */
export function slowPut(url: string, headers: Record<string, string | number>): SlowPut {
  const req: ClientRequest = request(url, { method: 'PUT', headers });
  req.flushHeaders();
  const answer = new Promise<number | undefined>((resolve) => {
    req.on('response', (res: IncomingMessage) => {
      res.resume();
      resolve(res.statusCode);
    });
    req.on('error', () => resolve(undefined));
  });
  return {
    write: (data) => new Promise((resolve) => req.write(data, () => resolve())),
    end: () => void req.end(),
    // What was written still arrives; whether it would after a reset is up to the network.
    cut: () => void (req.socket?.connecting === false ? req.socket.end() : req.destroy()),
    answer,
  };
}
