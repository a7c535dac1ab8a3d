import type { ConnectError } from '@connectrpc/connect';
import { requestIdOf } from '@parley/domain/http/request-id';
import type { ErrorDocs } from '@parley/domain/problems';
import type { Fault, FaultAnswer } from '@parley/kit/http/fault';
import { constantError, errorForm } from './error-form.ts';

const MALFORMED = constantError('invalid_request');
const TIMED_OUT = constantError('request_timeout');
const errors = new WeakMap<Fault, ConnectError>();

/** The error for a fault that a listener found; one for each fault, since anybody may send it. */
export function errorOfFault(fault: Fault): ConnectError {
  if (fault.kind === 'timed_out') return TIMED_OUT;
  if (fault.header === undefined && !fault.keepsConnection) return MALFORMED;
  let error = errors.get(fault);
  if (!error) {
    const { message, header } = fault;
    const data = header === undefined ? undefined : { header };
    errors.set(fault, (error = constantError('invalid_request', { message, data })));
  }
  return error;
}

/** Answers malformed requests, and those that did not arrive in time, which never reach a request handler. */
export function faultAnswer(errorDocs: ErrorDocs, fault: Fault): FaultAnswer {
  const { status, json } = errorForm(errorOfFault(fault), errorDocs);
  return {
    status: status === 408 ? 408 : 400,
    headers: { 'x-request-id': requestIdOf(undefined), 'content-type': 'application/json; charset=utf-8' },
    body: json,
  };
}
