/**
 * The token of `Authorization: Bearer …`. Clients write the name of the scheme in any case
 * (RFC 9110, 11.1).
 */
export function readBearer(header: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(header ?? '')?.[1];
}
