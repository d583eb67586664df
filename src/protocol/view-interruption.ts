import type { Interruption } from '../agents/interruption.ts';
import type { InterruptionView } from './interrupt.ts';
import { toIso } from './views.ts';

export function viewInterruption(interruption: Interruption): InterruptionView {
  const { outcome, reason, way, presses, who, place, at } = interruption;
  return {
    ...{ outcome, presses, place, at: toIso(at) },
    ...(reason === undefined ? {} : { reason }),
    ...(way === undefined ? {} : { way }),
    ...(who === undefined ? {} : { who }),
  };
}
