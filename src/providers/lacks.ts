import type { Lack, LaunchPlan, LaunchRequest } from './launch-plan.ts';

/** Of the things that a start cannot give, those that were asked for. */
export function noteLacks(
  { role, tools }: Pick<LaunchRequest, 'role' | 'tools'>,
  missing: readonly Lack[],
): Pick<LaunchPlan, 'lacks'> {
  const wanted: Readonly<Record<Lack, boolean>> = {
    tools: tools !== undefined,
    instructions: role.instructions !== undefined,
    permission: role.permission !== undefined || role.permissionMode !== undefined,
    allowedTools: (role.allowedTools ?? []).length > 0,
    mcpServers: Object.keys(role.mcpServers ?? {}).length > 0,
    approvals: role.hasRemoteApprovals === true,
  };
  const lacks = (Object.keys(wanted) as Lack[]).filter((lack) => {
    return wanted[lack] && missing.includes(lack);
  });
  return lacks.length === 0 ? {} : { lacks };
}
