/**
 * A failure that a caller can act on. Everything else that is thrown is a bug. The one table below says what each code
 * means to a process (exit code) and, once there is a server, to HTTP and MCP.
 */
export class Fault extends Error {
  readonly code: FaultCode;
  /** What to do next, as one sentence. */
  readonly next: string;

  constructor(code: FaultCode, message: string, next: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'Fault';
    this.code = code;
    this.next = next;
  }
}

export type FaultCode = keyof typeof exitCodes;

/** Exit codes of the command line: 1 failed, 2 usage, 3 not found, 4 timed out, 5 refused. */
export const exitCodes = {
  usage: 2,
  'invalid-input': 2,
  'agent-not-found': 3,
  'message-not-found': 3,
  'key-not-found': 3,
  'ledger-busy': 4,
  'name-taken': 5,
  'name-reserved': 5,
  'parent-cycle': 5,
  'body-too-large': 5,
  'key-conflict': 5,
  'not-allowed': 5,
  'wrong-state': 5,
  'ledger-foreign': 1,
  'ledger-corrupt': 1,
  'ledger-newer': 1,
  'ledger-unwritable': 1,
  'path-too-long': 1,
  'output-lost': 1,
  'config-invalid': 1,
} as const;
