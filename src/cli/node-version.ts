import { compareVersions } from '../shared/compare-versions.ts';

/** As `engines` in package.json has it; `node-version.test.ts` compares. */
export const oldestNode = '20.19';

export function isNewEnough(version: string): boolean {
  return compareVersions(version, `${oldestNode}.0`) >= 0;
}
