import type { FleetParts } from './parts.ts';

/** Hooks that tell of a submitted prompt, by whatever name, carry its text as `prompt`. */
export async function noteSubmitted(
  { delivery }: Pick<FleetParts, 'delivery'>,
  agent: string,
  { prompt }: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (typeof prompt !== 'string' || !prompt.includes('<signalbox ')) return;
  await delivery.submitted(agent, prompt);
}
