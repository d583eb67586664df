import { existsSync } from 'node:fs';
import { closestName } from '../agents/agent-name.ts';
import type { Verdict } from '../agents/status.ts';
import { configPath, type Folders } from '../config/folders.ts';
import { type ConfiguredProvider, loadProviders } from '../config/providers.ts';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';
import { detect } from './detector/detect.ts';
import {
  createEmptyDetector,
  type LoadedDetector,
  loadBuiltIn,
  overlay,
  userRulesPath,
} from './detector/load.ts';
import { describeDetector } from './generic/detector.ts';
import type { Provider, Screen } from './provider.ts';

/** One line per CLI, with its short names and where its adapter is; loaded only when it is used. */
const builtIn: Readonly<Record<string, BuiltIn>> = {
  'claude-code': { aliases: ['claude'], load: () => import('./claude-code/provider.ts') },
  codex: { aliases: [], load: () => import('./codex/provider.ts') },
  gemini: { aliases: ['gemini-cli'], load: () => import('./gemini/provider.ts') },
  opencode: { aliases: [], load: () => import('./opencode/provider.ts') },
  copilot: { aliases: ['copilot-cli'], load: () => import('./copilot/provider.ts') },
  qwen: { aliases: ['qwen-code'], load: () => import('./qwen/provider.ts') },
  kimi: { aliases: ['kimi-code'], load: () => import('./kimi/provider.ts') },
  generic: { aliases: [], load: () => import('./generic/provider.ts') },
};

const aliases = Object.values(builtIn).flatMap((provider) => provider.aliases);

interface BuiltIn {
  readonly aliases: readonly string[];
  readonly load: () => Promise<{ readonly provider: Provider }>;
}

/**
 * All that can be launched or detected here: the CLIs we know, `generic`, and what config.yaml
 * describes.
 */
export interface ProviderShelf {
  /** Of the CLIs we know, and `generic`. */
  readonly names: readonly string[];
  /** Their other names: `claude`. */
  readonly aliases: readonly string[];
  /**
   * By name or short name, with the capabilities of the user's own file laid over its own; throws a
   * Fault that lists what there is. A user's file that cannot be used is left out.
   */
  find(name: string): Promise<Provider>;
  /** Its rules with the user's own file laid over them. */
  loadDetector(name: string): Promise<LoadedDetector>;
  /**
   * The same as a function, for one version of the CLI. A user's file that cannot be used is
   * reported and left out.
   */
  detector(provider: Pick<Provider, 'name'>, version: string | undefined): Promise<DetectScreen>;
}

type DetectScreen = (screen: Screen) => Verdict;

/**
 * Files are read when they are needed, each time: what a person has just written holds for the next
 * launch, and a broken description stops nobody but whoever asks for that program.
 */
export function openProviderShelf(
  folders: Folders,
  report: (trouble: Fault) => void = () => undefined,
): ProviderShelf {
  const findBare = async (name: string): Promise<Provider> => {
    const own = findBuiltIn(name);
    const load = own && builtIn[own]?.load;
    if (load) return (await load()).provider;
    const described = await findConfigured(folders, name);
    const { createConfiguredProvider } = await import('./generic/provider.ts');
    return createConfiguredProvider(described);
  };
  const loadDetector = async (name: string): Promise<LoadedDetector> => {
    const own = findBuiltIn(name);
    if (own === 'generic') return { detector: createEmptyDetector(own) };
    const capabilitiesOf = async () => (await findBare(name)).capabilities;
    if (own) return overlay(await loadBuiltIn(own), folders.config, capabilitiesOf);
    const described = await findConfigured(folders, name);
    const base = describeDetector(described, configPath(folders));
    return overlay(base, folders.config, capabilitiesOf);
  };
  return {
    names: Object.keys(builtIn),
    aliases,
    loadDetector,
    find: async (name) => {
      const provider = await findBare(name);
      // Most people have none, and rules need not be read to find that out.
      if (!existsSync(userRulesPath(folders.config, provider.name))) return provider;
      const { data } = await loadDetector(provider.name);
      return data?.capabilities ? { ...provider, capabilities: data.capabilities } : provider;
    },
    detector: async ({ name }, version) => {
      const { detector, trouble } = await loadDetector(name);
      if (trouble) report(trouble);
      return (screen) => detect(detector, screen, version);
    },
  };
}

function findBuiltIn(name: string): string | undefined {
  return Object.keys(builtIn).find((own) => own === name || builtIn[own]?.aliases.includes(name));
}

async function findConfigured(folders: Folders, name: string): Promise<ConfiguredProvider> {
  const configured = await loadProviders(folders);
  for (const { name: described } of configured) {
    const owner = described === 'none' ? 'no program at all' : findBuiltIn(described);
    if (!owner) continue;
    throw new Fault(
      'config-invalid',
      `${configPath(folders)} describes a provider ${JSON.stringify(described)}, which is ${owner}.`,
      'Choose another name for it.',
    );
  }
  const names = [...Object.keys(builtIn), ...configured.map((one) => one.name)];
  return configured.find((one) => one.name === name) ?? refuseUnknown(name, names);
}

function refuseUnknown(name: string, names: readonly string[]): never {
  const closest = closestName(name, [...names, ...aliases]);
  throw new Fault(
    'provider-not-found',
    `There is no provider ${quote(name)}.`,
    `${closest ? `Did you mean "${closest}"? ` : ''}There are: ${names.join(', ')}; describe another in config.yaml under \`providers\`.`,
  );
}
