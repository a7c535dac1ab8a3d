import { HEADER_LIMITS } from '@parley/domain/http/header-limits';
import type { Fault } from '@parley/kit/http/fault';
import { createListener, type Listener, type ListenerOptions } from '@parley/kit/http/listener';
import type { Pair } from '@parley/kit/http/raw-answer';
import { splitTarget } from '@parley/kit/http/target';
import { errorAnswer } from './errors/error-answer.ts';
import { errorOfFault, faultAnswer } from './errors/faults.ts';
import type { OpenExchange } from './exchange/exchange.ts';
import { warnOfUntrustedProxies } from './limits/untrusted-proxies.ts';
import type { HttpParts } from './parts.ts';

const MAX_HEADER_BYTES = 32_768;

type Served = Pick<ListenerOptions, 'name' | 'answer' | 'upgrades'> & { open: OpenExchange };

/** A listener with the platform's rules for headers, whose faults are answered as other errors are. */
export function listenTo(parts: HttpParts, { open, ...served }: Served): Listener {
  const { log, trustedProxies } = parts;
  const listener = createListener({
    ...served,
    refuse: refuseFaults(parts, open),
    failed: (error) => log.error({ error }, 'failed to answer a request; closing the connection'),
    faultAnswer: (fault) => faultAnswer(parts.errorDocs, fault),
    headerLimits: HEADER_LIMITS,
    maxHeaderBytes: MAX_HEADER_BYTES,
    writesAnswerHeaders: true,
  });
  warnOfUntrustedProxies(listener.server, { trustedProxies, log });
  return listener;
}

/** Answers faults as other errors, with the same headers, counts and lines of the log. */
function refuseFaults(parts: HttpParts, open: OpenExchange): (pair: Pair, fault: Fault) => void {
  return ({ req, res }, fault) => {
    const exchange = open({ req, res }, splitTarget(req.url ?? '/'));
    exchange.run(async () => exchange.answer(errorAnswer(parts, errorOfFault(fault))));
  };
}
