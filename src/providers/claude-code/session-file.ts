import { parseObject } from '../../shared/json.ts';
import type { OwnState } from '../provider.ts';

/** What one text of `sessions/<pid>.json` means, for a process of that pid that started then. */
export function readSessionFile(
  text: string,
  startedAt: string | undefined,
): OwnState | 'unreadable' | undefined {
  const file = parseObject(text);
  if (!file) return 'unreadable';
  // A file that a killed process left behind, met by the next one with its pid.
  const isOfThis = process.platform !== 'linux' || file['procStart'] === startedAt;
  if (startedAt === undefined || !isOfThis) return undefined;
  const conversation = file['sessionId'];
  const report = describe(file['status'], file['waitingFor']);
  return { report, ...(typeof conversation === 'string' ? { conversation } : {}) };
}

function describe(status: unknown, waitingFor: unknown): OwnState['report'] {
  if (status === 'idle') return { status: 'idle' };
  if (status === 'busy') return { status: 'processing' };
  if (status !== 'waiting') return undefined;
  return { status: 'waiting', detail: waits.get(waitingFor) ?? 'dialog' };
}

/** All the words that 2.1.325 has for it. */
const waits = new Map<unknown, string>([
  ['permission prompt', 'permission'],
  ['sandbox request', 'permission'],
  ['worker request', 'permission'],
  ['goal proposal', 'permission'],
  ['input needed', 'question'],
  ['dialog open', 'dialog'],
]);
