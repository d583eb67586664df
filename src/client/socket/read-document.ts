import type { IncomingMessage } from 'node:http';
import { type FaultView, headers, protocolVersion } from '../../protocol/daemon.ts';
import { exitCodes, Fault, type FaultCode } from '../../shared/fault.ts';

/** What a daemon answered; its faults are thrown as they are. */
export function readDocument<T>(response: IncomingMessage, text: string): T {
  if (response.statusCode === 204) return {} as T;
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new Fault(
      'bug',
      `The daemon answered ${response.statusCode} with something that is not JSON.`,
      'See `signalbox logs`.',
      { cause: error },
    );
  }
  if ((response.statusCode ?? 500) < 400) return document as T;
  const { error } = document as Partial<FaultView>;
  const spoken = response.headers[headers.protocol];
  const {
    code = 'bug',
    message = `The daemon answered ${response.statusCode}.`,
    next,
  } = error ?? {};
  const known = Object.hasOwn(exitCodes, code) ? (code as FaultCode) : 'bug';
  const hint = spoken === String(protocolVersion) ? 'See `signalbox logs`.' : 'Upgrade signalbox.';
  throw new Fault(known, message, next ?? hint);
}
