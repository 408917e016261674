import type { Json } from '../../api/client';
import { PageLink } from '../../base/PageLink';
import { at, useDeclarations } from '../../declarations/declarations';
import { objectPage } from '../../declarations/place';

/** The fabric that a Fibre Channel port is in, with its page. */
export function FabricLink({ record }: { record: Json }) {
  const resource = useDeclarations().find('network/fc/fabrics');
  const name = String(at(record, 'fabric.name'));
  return resource ? <PageLink to={objectPage(resource, { name })}>{name}</PageLink> : name;
}
