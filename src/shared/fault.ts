import { bound } from './quote.ts';

/** Of one sentence, in characters: the longest quote what a program last said. */
const mostSaid = 4000;

/**
 * A failure that a caller can act on. Everything else that is thrown is a bug. The one table below
 * says what each code means to a process (exit code); what it means to HTTP follows from that, with
 * few exceptions.
 */
export class Fault extends Error {
  readonly code: FaultCode;
  /** What to do next, as one sentence. */
  readonly next: string;

  constructor(code: FaultCode, message: string, next: string, options?: { cause?: unknown }) {
    // Whatever a sentence quotes, it is bounded here, for every edge: terminals, HTTP and models
    // (rule 47).
    super(bound(message, mostSaid), options);
    this.name = 'Fault';
    this.code = code;
    this.next = bound(next, mostSaid);
  }
}

export type FaultCode = keyof typeof exitCodes;

/**
 * Exit codes of the command line: 1 failed, 2 usage, 3 not found, 4 timed out, 5 refused, 6 no
 * daemon.
 */
export const exitCodes = {
  usage: 2,
  'invalid-input': 2,
  'name-ambiguous': 2,
  'agent-not-found': 3,
  'message-not-found': 3,
  'key-not-found': 3,
  'provider-not-found': 3,
  'profile-not-found': 3,
  'ledger-busy': 4,
  'name-taken': 5,
  'name-reserved': 5,
  'parent-cycle': 5,
  'body-too-large': 5,
  'key-conflict': 5,
  'not-allowed': 5,
  'not-trusted': 5,
  'folder-exposed': 5,
  'too-many': 5,
  'wrong-state': 5,
  'agent-exited': 5,
  'ledger-foreign': 1,
  'ledger-corrupt': 1,
  'ledger-newer': 1,
  'ledger-unwritable': 1,
  'path-too-long': 1,
  'disk-trouble': 1,
  'wrong-node': 1,
  'sqlite-missing': 1,
  'output-lost': 1,
  'config-invalid': 1,
  'backend-missing': 1,
  'backend-too-old': 1,
  'backend-mismatch': 1,
  'backend-lost': 1,
  'terminal-gone': 1,
  'launch-failed': 1,
  'stop-failed': 1,
  undeliverable: 1,
  'task-failed': 1,
  'too-late': 1,
  'question-gone': 1,
  'protocol-mismatch': 1,
  'route-not-found': 3,
  'timed-out': 4,
  'media-type': 5,
  'method-not-allowed': 5,
  unauthorised: 5,
  'foreign-origin': 5,
  'read-only': 5,
  'link-spent': 5,
  'session-unknown': 5,
  'no-environment': 5,
  'daemon-unavailable': 6,
  bug: 1,
} as const;

/** What a code is in HTTP. */
export function httpStatus(code: FaultCode): number {
  return exceptions.get(code) ?? byExitCode[exitCodes[code]];
}

const byExitCode = { 1: 500, 2: 400, 3: 404, 4: 504, 5: 403, 6: 503 } as const;

const exceptions: ReadonlyMap<FaultCode, number> = new Map<FaultCode, number>([
  ['name-taken', 409],
  ['key-conflict', 409],
  ['wrong-state', 409],
  ['agent-exited', 409],
  ['undeliverable', 409],
  ['too-late', 409],
  ['question-gone', 409],
  ['terminal-gone', 410],
  ['body-too-large', 413],
  ['too-many', 429],
  ['media-type', 415],
  ['method-not-allowed', 405],
  ['protocol-mismatch', 426],
  ['ledger-busy', 503],
  ['unauthorised', 401],
  ['link-spent', 410],
  ['session-unknown', 410],
  ['no-environment', 409],
]);
