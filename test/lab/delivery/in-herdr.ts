import type { CliName } from '../versions.ts';
import { heldCases } from './cases-held.ts';
import { hastyCases, peopleCases } from './cases-people.ts';
import { traits } from './traits.ts';

/** Cases that need what herdr cannot tell, each with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  draft: 'herdr tells no cursor, by which alone a draft is known; nothing is ever typed there',
  'copy-mode': 'herdr does not say whether a person scrolls; nothing is ever typed there',
  esc: 'its end is a composer that is proven empty, and herdr tells no cursor',
  clear: 'its end is a composer that is proven empty, and herdr tells no cursor',
};

const noPeople = 'its person begins at a composer that is proven empty, and herdr tells no cursor';
const noKey =
  'no key can be guarded in herdr, or its person begins at a composer that is proven empty';
const noWake = 'at rest it has no way in but the paste, and nothing is pasted in herdr';
/** Of a CLI that is only reached at its turn boundaries. */
const whileBusy = new Set(['idle', 'busy-text', 'busy-tool', 'dialog']);

const byApi = new Set(['codex', 'opencode']);
/** Of `interrupt`, what needs neither a key of ours nor a composer. */
const stopsAnywhere = new Set(['stop-herdr', 'stop-rest']);
const stopsByApi = new Set([
  'stop-answer',
  'stop-tool',
  'stop-dialog',
  'stop-queued',
  'stop-script',
]);

function mayStop(cli: CliName, name: string): boolean {
  return stopsAnywhere.has(name) || (byApi.has(cli) && stopsByApi.has(name));
}

export function sparesInHerdr(
  cli: CliName,
  cases: readonly string[],
): Readonly<Record<string, string>> {
  const isWoken = traits[cli].idle !== 'paste';
  const unreached = cases.filter(
    (name) => !isWoken && !whileBusy.has(name) && !stopsAnywhere.has(name),
  );
  const people = [...peopleCases, ...hastyCases, ...heldCases].map(({ name }) => [name, noPeople]);
  const stops = cases.filter((name) => name.startsWith('stop-') && !mayStop(cli, name));
  return {
    ...Object.fromEntries(unreached.map((name) => [name, noWake])),
    ...Object.fromEntries(people),
    ...Object.fromEntries(stops.map((name) => [name, noKey])),
    ...leftOut,
  };
}
