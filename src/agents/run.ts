import type { ProcessIdentity } from '../shared/processes.ts';

/** A one-shot command under `run-task` (rule 32). Its agent lives as long as it does. */
export interface Run {
  readonly agent: string;
  /** What it is called where people read it. */
  readonly title: string;
  /** The wrapper, not the command: once it is dead nobody else can tell how the command ended. */
  readonly holder: ProcessIdentity;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** The message that told of its end. */
  readonly completion?: string;
}
