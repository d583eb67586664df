import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { herdrSocket, realHerdr } from '../support/install-herdr.ts';
import { account, type Finding } from '../torture/delivery/account.ts';
import { readLedger } from '../torture/delivery/ledger-word.ts';
import { Random } from '../torture/random.ts';
import { ClaudeCrew } from './fixtures/claude-crew.ts';
import { HerdrStorm } from './fixtures/herdr-storm.ts';
import { everyHerdr, inPlaces } from './fixtures/places.ts';
import { openStation, type Station } from './fixtures/station.ts';

/**
 * CHAOS_SEED chooses the same troubles again, CHAOS_SECONDS how long they last; when processes run
 * is the machine's affair.
 */
/** The same in every run of the suite; others by CHAOS_SEED. */
const seed = Number(process.env['CHAOS_SEED'] ?? 7);
const seconds = Number(process.env['CHAOS_SECONDS'] ?? 6);
/** Back-off, proof and restarts of everybody. */
const restMs = 90_000;
/** The lulls in between take several times as long as the troubles. */
const limitMs = seconds * 10_000 + restMs + 60_000;

/** Only the fake has its troubles on demand. */
const places = realHerdr ? [] : everyHerdr;
const crew = ['ada', 'bob', 'cyd'];
/** Stays as it is when it has exited, until all is over. */
const left = 'cyd';

inPlaces(places, `B5 to B12: messages while herdr fails, seed ${seed}`, ({ test }, place) => {
  test('nothing is lost, doubled or overtaken, nobody who lives is called exited, nobody who is dead alive', {
    timeout: limitMs,
  }, async () => {
    const station = await openStation({ place });
    // A seed of its own for each, so that the pace of one does not change the choices of another.
    const random = (n: number): Random => new Random(seed * 31 + n);
    const agents = new ClaudeCrew(station, crew, random(1));
    const { home } = station;
    const storm = new HerdrStorm(home, herdrSocket(home), random(2), place.herdr === '0.6.8');
    await agents.launch();

    let isOver = false;
    const everybody = [
      storm
        .run(seconds, () => isOver)
        .finally(() => {
          isOver = true;
        }),
      agents.send(() => isOver),
      agents.prompt(() => isOver),
      (async () => {
        while (!isOver) {
          await agents.restart(await agents.look(), left);
          await delay(250);
        }
      })(),
    ];
    try {
      await Promise.all(everybody);
    } finally {
      isOver = true;
      await Promise.allSettled(everybody);
    }

    await rest('everybody is delivered to', async () => {
      await storm.calm(); // A server that was out of reach just now may be replaced only now.
      agents.endTurns();
      await agents.restart(await agents.look());
      const rows = await readLedger(home);
      const open = rows.filter(({ kind, state }) => kind === 'message' && state !== 'seen');
      return open.map(({ id, state, to }) => `${id} to ${to}: ${state}`);
    });
    const facts = {
      sent: agents.sent,
      receipts: agents.receipts(),
      rows: await readLedger(home),
    };
    const { lost, doubled, misplaced, outOfOrder, judged } = account(facts);
    const troubles = [...storm.count].map(([name, times]) => `${times} ${name}`).join(', ');
    const told = `seed ${seed}: ${agents.sent.length} messages, ${agents.restarts} restarts; ${troubles}`;
    process.stdout.write(`${told}\n`);
    await explain(station, [...lost, ...doubled, ...misplaced, ...outOfOrder]);
    expect({ told, lost, doubled, misplaced, outOfOrder }).toEqual({
      ...{ told, lost: [], doubled: [], misplaced: [], outOfOrder: [] },
    });
    // Whether a copy comes twice is up to the storm.
    expect(
      judged.listIdle([
        'lost: an accepted message',
        'misplaced: a copy',
        'out of order: a first copy behind another',
      ]),
    ).toEqual([]);
    expect(agents.complaints).toEqual([]);
    for (const view of await agents.look()) {
      expect([view.name, agents.programs(view.id), view.status === 'exited']).toEqual([
        ...[view.name, 1, false],
      ]);
    }
    expect(storm.servers()).toHaveLength(1);
    expect(agents.restarts).toBeGreaterThanOrEqual(crew.length);
    await station.ask('stop', ...crew);
    for (const { id } of await agents.look()) expect(agents.programs(id)).toBe(0);
  });
});

/** The whole story of the first few messages that something is wrong with. */
async function explain(station: Station, findings: readonly Finding[]): Promise<void> {
  const ids = new Set(findings.flatMap(({ what }) => what.match(/msg_\w+|[\w-]+:\d+\b/g) ?? []));
  for (const id of [...ids].slice(0, 4)) {
    process.stdout.write(`${(await station.run(['explain', id])).stdout}\n`);
  }
}

/** Until nothing is left of what is told; fails with what is. */
async function rest(what: string, remaining: () => Promise<readonly string[]>): Promise<void> {
  const deadline = performance.now() + restMs;
  for (;;) {
    const found = await remaining();
    if (found.length === 0) return;
    if (performance.now() > deadline) throw new Error(`seed ${seed}, not ${what}: ${found}`);
    await delay(300);
  }
}
