import { HTTPException } from 'hono/http-exception';
import { neutralise } from '../messages/neutralise.ts';
import type { FaultView } from '../protocol/daemon.ts';
import { Fault, type FaultCode, httpStatus } from '../shared/fault.ts';

/** Every failure is the same document, whatever failed. Undefined: a bug, to be logged. */
export function toFault(error: unknown): Fault | undefined {
  if (error instanceof Fault) return error;
  // What hono itself refuses, as plain text by default: malformed JSON (400) and other content
  // types (415).
  if (!(error instanceof HTTPException)) return undefined;
  if (error.status === 415) return wrongMediaType();
  if (error.status >= 500) return undefined;
  return new Fault('invalid-input', `${error.message || 'The request cannot be read'}.`, seeApi);
}

export function faultResponse(fault: Fault): Response {
  const { code, message, next } = fault;
  return document({ error: { code, message, next } }, code);
}

export function neutraliseFault({ code, message, next }: Fault): Fault {
  return new Fault(code, neutralise(message), neutralise(next));
}

/** Without the error's own text: it may hold anything. It is in the log. */
export function bugResponse(): Response {
  const message = 'Something went wrong in the daemon that should not.';
  return document({ error: { code: 'bug', message, next: 'See `signalbox logs`.' } }, 'bug');
}

export function wrongMediaType(): Fault {
  return new Fault('media-type', 'A request body must be application/json.', seeApi);
}

export const seeApi = 'See /openapi.json for what can be asked.';

function document(view: FaultView, code: FaultCode): Response {
  return Response.json(view, { status: httpStatus(code) });
}
