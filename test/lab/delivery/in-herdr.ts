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
const noWake = 'at rest it has no way in but the paste, and nothing is pasted in herdr';
/** Of a CLI that is only reached at its turn boundaries. */
const whileBusy = new Set(['idle', 'busy-text', 'busy-tool', 'dialog']);

export function sparesInHerdr(
  cli: CliName,
  cases: readonly string[],
): Readonly<Record<string, string>> {
  const isWoken = traits[cli].idle !== 'paste';
  const unreached = cases.filter((name) => !isWoken && !whileBusy.has(name));
  const people = [...peopleCases, ...hastyCases, ...heldCases].map(({ name }) => [name, noPeople]);
  return {
    ...Object.fromEntries(unreached.map((name) => [name, noWake])),
    ...Object.fromEntries(people),
    ...leftOut,
  };
}
