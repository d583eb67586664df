import type { InterruptionView } from '../protocol/interrupt.ts';

/** One row of an agent's history, without its time: `the user (ada at /dev/pts/3): Esc once`. */
export function describeInterruption(interruption: InterruptionView): string {
  const { outcome, reason, who, place } = interruption;
  const whose = `the user (${who ?? `from a ${place}`})`;
  switch (outcome) {
    case 'ended':
      return `${whose} ended its turn, ${describeWay(interruption)}`;
    case 'unproven':
      return `${whose} told it to stop, ${describeWay(interruption)}; nothing showed in time that its turn ended`;
    case 'refused':
      return `${whose} wanted to end its turn, and nothing was pressed: ${reason ?? 'it was refused'}`;
    case 'unknown':
      return `${whose} wanted to end its turn; ${reason ?? 'what came of it is unknown'}`;
    case 'pressing':
      return `${whose} ends its turn at this moment`;
  }
}

function describeWay({ way, presses }: InterruptionView): string {
  if (way === 'api') return 'by the API of its CLI';
  return `by Esc, ${presses === 1 ? 'once' : presses === 2 ? 'twice' : `${presses} times`}`;
}
