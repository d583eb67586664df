import { type Logger, pino, stdTimeFunctions } from 'pino';
import type { Clock } from '../shared/clock.ts';
import { redact } from '../shared/redact.ts';
import { LogFile } from './log-file.ts';

const rotation = { maxBytes: 10 * 1024 * 1024, keep: 3 } as const;

export interface DaemonLog {
  readonly log: Logger;
  readonly file: LogFile;
}

/**
 * Lines of JSON: level, time, facts, text. `echo` gets each line too, for whoever runs the daemon
 * in the foreground.
 */
export function openLog(path: string, clock: Clock, echo?: (line: string) => void): DaemonLog {
  const file = new LogFile(path, { clock, ...rotation });
  const write = (line: string): void => {
    const clean = redact(line);
    file.write(clean);
    echo?.(clean);
  };
  const options = {
    base: null,
    messageKey: 'text',
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
  };
  return { log: pino(options, { write }), file };
}
