import { openHome } from '../../test/lab/homes/home.ts';
import type { Life } from '../../test/lab/life/life.ts';
import type { CliName } from '../../test/lab/versions.ts';
import type { BuiltSurroundings } from '../parts.ts';
import { type AtEnd, withLives } from '../people/lives.ts';
import { openByHand } from './by-hand.ts';
import { CaoPlace } from './cao/place.ts';
import { type CaoSeat, openCao } from './cao/seat.ts';
import { DeckPlace } from './deck/place.ts';
import { openDeck } from './deck/seat.ts';
import type { Cao } from './install-cao.ts';
import { openOurs } from './ours.ts';
import type { Seat } from './tool.ts';

/** What a part of this suite gets beside the usual: CAO, or why there is none; agent-deck. */
export interface PeerSurroundings extends BuiltSurroundings {
  readonly cao: Cao;
  /** agent-deck's program, where the reader has named one. */
  readonly deck?: string;
}

/** The same CLI once in each tool, all with one mock, whose log is the truth. */
export interface Contest {
  readonly life: Life;
  readonly seats: readonly Seat[];
  readonly cao?: CaoSeat;
  readonly atEnd: AtEnd;
}

export interface ContestWish {
  readonly cli: CliName;
  /** Some measures mean nothing by hand. */
  readonly withHand: boolean;
  /** agent-deck has neither messages between agents nor a server. */
  readonly withDeck?: boolean;
}

/** All of it ends with the work, or when the run is stopped. */
export function withContest(
  { program, signal, cao, deck }: PeerSurroundings,
  { cli, withHand, withDeck }: ContestWish,
  work: (contest: Contest) => Promise<void>,
): Promise<void> {
  return withLives(cli, { now: program }, signal, async ({ now: life }, atEnd) => {
    const seats = [await openOurs(life)];
    let theirs: CaoSeat | undefined;
    if ('bin' in cao) {
      const place = await CaoPlace.open(cli, cao.bin, life.gate.url);
      atEnd(() => place.close());
      theirs = await openCao(life, place);
      seats.push(theirs);
    }
    if (withDeck && deck !== undefined) {
      const place = new DeckPlace(openHome(cli, { mockUrl: life.gate.url }), deck);
      atEnd(() => place.close());
      seats.push(await openDeck(life, place));
    }
    if (withHand) seats.push(await openByHand(life, atEnd));
    await work({ life, seats, atEnd, ...(theirs ? { cao: theirs } : {}) });
  });
}

/** Every other round in the opposite order, so that none always comes after the same other one. */
export function inTurn<T>(list: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? list : list.toReversed();
}
