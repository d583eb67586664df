import type { Clock } from '../../shared/clock.ts';
import type { Link } from './link.ts';
import type { Notes } from './notes.ts';
import type { HerdrPlace } from './place.ts';
import type { FormerPlaces } from './restored.ts';
import type { Rooms } from './rooms.ts';

/** What the verbs of this backend are made of. */
export interface HerdrParts {
  readonly link: Link;
  readonly notes: Notes;
  readonly rooms: Rooms;
  readonly former: FormerPlaces;
  readonly place: HerdrPlace;
  readonly clock: Clock;
  readonly ledgerId: string;
  /** The script that runs every program. */
  readonly host: string;
}
