import type { StatusView, Verdict } from '../agents/status.ts';
import { findPenObstacle } from '../delivery/find-pen-obstacle.ts';
import type { NativeWay, Pen, PenLook, Recipient, RecipientView } from '../delivery/recipient.ts';
import type { WaitReason } from '../messages/wait-reason.ts';
import type { Evidence, LiveContext } from '../providers/way-in.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Look } from '../terminals/backend.ts';
import type { KeyTimes } from './key-times.ts';
import type { Life } from './life.ts';
import type { FleetParts } from './parts.ts';
import { putUpChannel } from './put-up-channel.ts';
import { readLaunch, readWays } from './read-ways.ts';
import type { SubAgents } from './sub-agents.ts';
import { whileItRuns } from './while-it-runs.ts';

/** What a running agent is to delivery; closed with its watch. */
export interface OpenRecipient extends Recipient {
  close(): void;
}

export interface RecipientSenses {
  readonly live: LiveContext;
  readonly view: () => StatusView;
  readonly atRestSince: () => number | undefined;
  readonly brokenOffAt: () => number | undefined;
  readonly emptySince: () => number | undefined;
  readonly lastLook: () => Partial<Verdict>;
  readonly humanKeyAt: () => number | undefined;
  /** Of the keys that its looks show. */
  readonly keyTimes: KeyTimes;
  readonly subAgents: SubAgents;
  readonly entered: () => void;
  readonly prompted: (beganMs: number) => void;
  readonly onTrouble: (where: string, error: unknown) => void;
}

export function openRecipient(
  parts: FleetParts,
  life: Life,
  senses: RecipientSenses,
): OpenRecipient {
  const { provider } = life;
  const launch = readLaunch(life.epoch);
  const attempt = <T>(where: string, open: () => T | undefined): T | undefined => {
    try {
      return open();
    } catch (error) {
      // Its agent reports and logs it.
      senses.onTrouble(where, error);
      return undefined;
    }
  };
  const native = attempt<NativeWay>('its native route', () => {
    const opened = provider.openNative?.(senses.live);
    return opened && whileItRuns(opened, life.terminal);
  });
  const evidence = attempt<Evidence>('its evidence', () => provider.openEvidence?.(senses.live));
  return {
    agent: life.agent.id,
    epoch: life.epoch.epoch,
    // Its CLI may say of itself that it cannot be woken, whatever its version promised.
    get ways() {
      return readWays(provider, launch, native?.lacks?.());
    },
    native,
    evidence,
    // What a backend can do may be known only once it is ready: asked at each use.
    get pen() {
      return lendPen(life, senses.keyTimes);
    },
    view: () => readView(senses, parts.surroundings.clock.monotonicMs()),
    entered: senses.entered,
    prompted: senses.prompted,
    ...(provider.putUp ? { putUp: () => putUpChannel(life, senses.live.current()) } : {}),
    close: () => {
      attempt('the end of its native route', () => native?.close());
      attempt('the end of its evidence', () => evidence?.close());
    },
  };
}

function readView(senses: RecipientSenses, now: number): RecipientView {
  const { status, detail, composer } = senses.view();
  const [atRestSince, emptySince] = [senses.atRestSince(), senses.emptySince()];
  const look = senses.lastLook();
  const { mode, tooSmall, noPaste } = look;
  const humanKeyAt = senses.humanKeyAt();
  const brokenOffAt = senses.brokenOffAt();
  const subAgents = senses.subAgents.beside(status, look, now);
  return {
    status,
    composer,
    ...(detail === undefined ? {} : { detail }),
    ...(mode === undefined ? {} : { mode }),
    ...(tooSmall === undefined ? {} : { tooSmall }),
    ...(noPaste === undefined ? {} : { noPaste }),
    ...(atRestSince === undefined ? {} : { atRestSince }),
    ...(brokenOffAt === undefined ? {} : { brokenOffAt }),
    ...(emptySince === undefined ? {} : { emptySince }),
    ...(humanKeyAt === undefined ? {} : { humanKeyAt }),
    ...(subAgents === undefined ? {} : { subAgents }),
  };
}

/** Where cursor or typing cannot be known nothing is typed. */
function lendPen(life: Life, keyTimes: KeyTimes): Pen | WaitReason {
  const { backend, terminal, provider } = life;
  const obstacle = findPenObstacle(backend, backend.state().version);
  if (obstacle !== undefined) return obstacle;
  const { styledScreen: styled, pasteGuard } = provider.capabilities;
  return {
    look: async () => {
      const look = await backend.look(terminal, { styled });
      if (look === 'gone' || !look.isAlive) return 'gone';
      return toPenLook(look, life.detect(look), keyTimes.read(look));
    },
    write: (bytes, how) => backend.write(terminal, bytes, how),
    prepare: (bytes, how) => backend.prepare?.(terminal, bytes, how),
    // It harms nobody if they are not told.
    tell: async (notice) => {
      await backend.tell?.(terminal, notice).catch((error) => reportBug('telling people', error));
    },
    ...(pasteGuard === undefined ? {} : { screenGuard: pasteGuard }),
  };
}

function toPenLook(look: Look, verdict: Verdict, humanKeyAt: number | undefined): PenLook {
  return {
    status: verdict.status,
    composer: verdict.composer,
    lines: look.lines,
    ...(verdict.tooSmall === undefined ? {} : { tooSmall: verdict.tooSmall }),
    ...(look.obstacle === undefined ? {} : { obstacle: look.obstacle }),
    ...(look.typingStamp === undefined ? {} : { typingStamp: look.typingStamp }),
    ...(look.cursor === undefined ? {} : { cursor: look.cursor }),
    ...(humanKeyAt === undefined ? {} : { humanKeyAt }),
  };
}
