import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { waitUntil } from '../support/wait-until.ts';
import { hasTmux } from './fixtures/station.ts';
import { ask, hanging, names, notices, openTelling } from './fixtures/telling.ts';

/** The daemon is killed while it tells a person something. */
describe.skipIf(!hasTmux)('attention, killed', () => {
  test('rule 48: a command that a killed daemon left behind is ended by the next one, and not run again', async () => {
    const script = 'cat >> "$OUT"; case $(tail -n 1 "$OUT") in *hang*) HANGS=$OUT sleep 600;; esac';
    const station = await openTelling(script);
    await ask(station, 'hang');
    await waitUntil('the command', () => hanging(station).length > 0);
    await station.killDaemon();
    expect(hanging(station)).toHaveLength(1);
    await station.run(['ls']);
    await waitUntil('its end', () => hanging(station).length === 0);
    await ask(station, 'other');
    await waitUntil('the other one', () => names(station).includes('other'));
    expect(names(station)).toEqual(['hang', 'other']);
  });

  test.each([
    // Noted, and not shown: the notice in the inbox comes all the same.
    ['attention.noted', []],
    ['attention.noticed', ['lead']],
  ])('rule 48: killed at %s, the next daemon tells nothing twice', async (place, shown) => {
    const station = await openTelling('cat >> "$OUT"', { SIGNALBOX_FAILPOINTS: `${place}=kill` });
    await ask(station, 'lead');
    const { pid } = station.daemon();
    await waitUntil('its death', () => !existsSync(`/proc/${pid}`));
    const sound = { env: { SIGNALBOX_FAILPOINTS: '' } };
    await station.run(['ls'], sound);
    await waitUntil('the notice', async () => (await notices(station)).length > 0);
    await ask(station, 'other');
    await waitUntil('the other one', () => names(station).includes('other'));
    expect(names(station)).toEqual([...shown, 'other']);
    const about = (await notices(station)).filter(({ body }) => body.startsWith('lead'));
    expect(about).toHaveLength(1);
  });
});
