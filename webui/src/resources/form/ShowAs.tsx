import { ExpandableSection, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { address, type Json, type Query } from '../../api/client';
import type { Method } from '../../api/method';
import { at, type Resource } from '../../declarations/declarations';
import { described } from '../../declarations/labels';
import { nameIn } from '../../declarations/names';
import { useSession } from '../../session/useSession';
import { playbook } from './ansible';
import { command, curl } from './commands';

interface Props {
  method: Method;
  path: string;
  resource: Resource;
  /** The object as it is, for its keys. */
  keys: Json;
  /** Values by field. */
  body: Json;
  query?: Query;
}

type Form = 'curl' | 'shell' | 'ansible';

/** The name of a task; English like all text in a playbook. */
const DOES: Record<Method, string> = {
  GET: 'Show',
  POST: 'Create',
  PATCH: 'Change',
  DELETE: 'Delete',
};

/** The same change for a script. */
export function ShowAs({ method, path, resource, keys, body, query = {} }: Props) {
  const { t } = useTranslation();
  const { account } = useSession();
  const [as, setAs] = useState<Form>('curl');
  const secrets = new Set(resource.fields.filter((node) => node.secret).map((node) => node.name));
  const open = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, secrets.has(name) ? '…' : value]),
  );
  const named = Object.fromEntries(
    described(resource.path)
      .keys.map((name) => [name, at(keys, name)])
      .filter(([, value]) => value !== undefined),
  ) as Json;
  const shell = command(method, resource.path, resource.fields, named, { ...query, ...open });
  const noun = described(resource.path).noun || resource.path;
  const name = `${DOES[method]} ${noun} ${nameIn({ ...keys, ...open })}`.trim();
  const forms: Record<Form, () => string> = {
    curl: () => curl(method, `${location.origin}${address(path, query)}`, account.name, open),
    shell: () => shell,
    ansible: () =>
      playbook(name, {
        method,
        address: address(path, query),
        resource: resource.path,
        keys,
        body,
        query,
        secrets,
      }),
  };
  const text = forms[as === 'shell' && !shell ? 'curl' : as]();
  return (
    <ExpandableSection toggleText={t('Show as a command')} className="show-as">
      <ToggleGroup aria-label={t('Show as a command')} isCompact>
        <ToggleGroupItem
          buttonId="as-curl"
          text={t('REST (curl)')}
          isSelected={as === 'curl'}
          onChange={() => setAs('curl')}
        />
        <ToggleGroupItem
          buttonId="as-shell"
          text={t('Shell')}
          isSelected={as === 'shell'}
          isDisabled={!shell}
          onChange={() => setAs('shell')}
        />
        <ToggleGroupItem
          buttonId="as-ansible"
          text="Ansible"
          isSelected={as === 'ansible'}
          onChange={() => setAs('ansible')}
        />
      </ToggleGroup>
      <pre tabIndex={0} aria-label={t('Command')}>
        {text}
      </pre>
    </ExpandableSection>
  );
}
