import { pins } from '../../test/lab/versions.ts';
import type { Taken } from '../people/lives.ts';
import type { Row } from '../suite.ts';
import { type ToolName, toolNames } from './tool.ts';

/** How one round of one tool went. */
export interface Fated<Fate extends string> {
  readonly tool: ToolName;
  readonly fate: Fate;
}

/** One row for each tool: how many rounds went well, and how the others went. */
export function countFates<Fate extends string>(
  { name, taken }: Taken<readonly Fated<Fate>[]>,
  what: string,
  good: Fate,
): readonly Row[] {
  return toolNames.flatMap((tool) => {
    const fates = taken.filter((one) => one.tool === tool).map(({ fate }) => fate);
    if (fates.length === 0) return [];
    const others = [...new Set(fates)].filter((fate) => fate !== good);
    const count = (wanted: Fate): number => fates.filter((fate) => fate === wanted).length;
    const words = others.map((fate) => `; ${count(fate)} ${fate}`).join('');
    return [
      {
        what: `${name} ${pins[name].version}, ${tool}: ${what} (of ${fates.length}${words})`,
        measured: { value: count(good), unit: '' },
      },
    ];
  });
}
