import type { Run } from './run.ts';

/** The port behind which one-shot commands are kept. */
export interface RunStore {
  insert(run: Pick<Run, 'agent' | 'title' | 'holder' | 'startedAt'>): Promise<void>;
  find(agent: string): Promise<Run | undefined>;
  /** Oldest first. */
  listOpen(): Promise<readonly Run[]>;
  /** False when it had ended before: its end is told once. */
  end(agent: string, at: number, completion: string): Promise<boolean>;
}
