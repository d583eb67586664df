import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Folders } from '../config/folders.ts';
import type { DataReport, Finding } from '../protocol/doctor.ts';
import { type LoadedDetector, type UserData, userRulesPath } from '../providers/detector/load.ts';
import type { ProviderShelf } from '../providers/registry.ts';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';

/** A user's own file of detector rules and capabilities that is in use. */
export function describeData(data: UserData): DataReport {
  const { path, version, sha256, rules, changes, loosened } = data;
  return {
    path,
    ...(version === undefined ? {} : { version }),
    sha256,
    rules,
    capabilities: changes,
    loosens: [...loosened.keys()],
  };
}

/** It is meant, since the file names it; whoever looks for a cause should see it all the same. */
export function findLoosened({ path, loosened }: UserData): readonly Finding[] {
  return [...loosened].map(([name, why]) => ({
    what: `${path} makes signalbox less careful: it ${why}.`,
    next: `Take ${name} out again once the built-in data fits your version.`,
  }));
}

/**
 * What is wrong with files in that folder that the report of no CLI tells: those of programs that
 * config.yaml describes, and those that no provider reads, most of which have a typo in their name.
 */
export async function findOtherData(
  { config }: Folders,
  shelf: Pick<ProviderShelf, 'names' | 'loadDetector'>,
): Promise<readonly Finding[]> {
  const folder = join(config, 'detectors');
  const known = shelf.names.filter((name) => name !== 'generic');
  const findings: Finding[] = [];
  for (const file of listFiles(folder)) {
    const name = file.replace(/\.yaml$/, '');
    if (file.endsWith('.yaml') && known.includes(name)) continue;
    const loaded = file.endsWith('.yaml') ? await loadOther(name) : undefined;
    const isRead = loaded && userRulesPath(config, loaded.detector.provider) === join(folder, file);
    if (!isRead) {
      findings.push({
        what: `${join(folder, file)} is for no provider and is not read.`,
        next: `Call it <provider>.yaml; there are: ${known.join(', ')}.`,
      });
      continue;
    }
    const { trouble, data } = loaded;
    if (trouble) findings.push({ what: trouble.message, next: trouble.next });
    if (data) findings.push(...findLoosened(data));
  }
  return findings;

  async function loadOther(name: string): Promise<LoadedDetector | undefined> {
    try {
      return name === 'generic' ? undefined : await shelf.loadDetector(name);
    } catch (error) {
      // A broken config.yaml describes nobody.
      if (error instanceof Fault) return undefined;
      throw error;
    }
  }
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((file) => !file.startsWith('.'))
      .sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new Fault(
      'config-invalid',
      `${quote(folder)} cannot be listed (${code}).`,
      'See who owns it and its mode.',
      { cause: error },
    );
  }
}
