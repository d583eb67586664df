import type { TurnNews } from '../../../src/providers/way-in.ts';
import type { TrueStop } from './turn-book.ts';

/** How one sort of CLI tells that its turns end. */
export interface Telling {
  /**
   * A hook that is called once; its own state, which can be asked for again; or nothing but its
   * status.
   */
  readonly source: 'hook' | 'state' | 'status';
  /** Its records name the turn that began last. */
  readonly namesLast?: true;
  /** Which marks a turn held: each end knows what is its own, however late it is told. */
  readonly knowsHeld?: true;
  /**
   * Each end is asked for by itself, so that they may come in another order. A file is read from
   * its beginning.
   */
  readonly mixes?: true;
  /**
   * When it ended: in every report, or in those alone that are looked up after the fact; to the
   * second, for some.
   */
  readonly dates?: 'always' | 'late' | 'by-second';
  /** A turn ends once, also when a hook made it go on. */
  readonly endsOnce?: true;
  /** All that was said, and no last words. */
  readonly saysAll?: true;
}

const asked = { knowsHeld: true, mixes: true } as const;

/** By kind of way in. */
const tellings: Readonly<Record<string, Telling>> = {
  'waiting-hook': { source: 'hook', namesLast: true },
  'own-queue': { source: 'state', ...asked, dates: 'by-second', endsOnce: true },
  'kept-queue': { source: 'state', knowsHeld: true, dates: 'late' },
  joining: { source: 'state', ...asked, dates: 'always' },
  extension: { source: 'state', knowsHeld: true, dates: 'late' },
  pasted: { source: 'hook', saysAll: true },
  unprovable: { source: 'hook' },
  'told-to-drain': { source: 'status' },
  'input-file': { source: 'hook', knowsHeld: true },
};

export function tellingOf(kind: { readonly name: string }): Telling {
  const telling = tellings[kind.name];
  if (!telling) throw new Error(`nobody knows how ${kind.name} tells its turn ends`);
  return telling;
}

/** As the provider reads it. `isLive`: as it happens, not looked up. */
export function toNews(stop: TrueStop, telling: Telling, isLive: boolean): TurnNews {
  const { outcome, text } = stop;
  if (outcome !== 'completed' && outcome !== 'failed' && outcome !== 'interrupted')
    throw new Error(`no CLI tells of a turn that is ${outcome}`);
  const words = outcome === 'failed' ? { why: 'API error: 429' } : { text };
  return {
    session: String(stop.conversation),
    id: `t${stop.turn}`,
    outcome,
    ...(telling.saysAll && text !== '' ? { said: text } : words),
    ...(telling.source === 'state' ? { stop: stop.n } : {}),
    ...(telling.knowsHeld ? { held: stop.marks } : {}),
    ...dateOf(stop, telling, isLive),
  };
}

function dateOf({ endedAt }: TrueStop, { dates }: Telling, isLive: boolean) {
  if (dates === undefined || (dates === 'late' && isLive)) return {};
  const isRounded = dates === 'by-second' && !isLive;
  return { endedAt: isRounded ? Math.floor(endedAt / 1000) * 1000 + 999 : endedAt };
}
