import { once } from 'node:events';
import { quantile } from '../measure.ts';
import { openBenchLedger } from './open.ts';

/**
 * One of the writers: opens the ledger, says so, waits for the word, sends as fast as it can, and
 * tells how it fared.
 */
export interface WriterReport {
  readonly sent: number;
  /** The codes alone: messages name paths, and results are committed. */
  readonly failed: readonly string[];
  /** Of single sends, from the call to the commit. */
  readonly longestMs: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

const [path = '', way = '', spanMs = ''] = process.argv.slice(2);
const { ledger, send } = await openBenchLedger(path, { busyHandler: way === 'busy-handler' });
// When the bench is killed, nobody listens any more.
process.on('disconnect', () => process.exit(1));
process.send?.('ready');
await once(process, 'message');

const waits: number[] = [];
const failed: string[] = [];
const endAt = performance.now() + Number(spanMs);
for (let startedAt = performance.now(); startedAt < endAt; ) {
  try {
    await send(1);
  } catch (error) {
    failed.push(String((error as { code?: unknown }).code ?? 'bug'));
  }
  const endedAt = performance.now();
  waits.push(endedAt - startedAt);
  startedAt = endedAt;
}
await ledger.close();

const report: WriterReport = {
  sent: waits.length - failed.length,
  failed,
  longestMs: quantile(waits, 1),
  medianMs: quantile(waits, 0.5),
  p99Ms: quantile(waits, 0.99),
};
process.send?.(report, () => process.disconnect());
