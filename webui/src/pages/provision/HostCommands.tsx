import { Button } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { copy } from '../../base/copy';
import { Loading } from '../../base/Loading';
import { choiceLabel } from '../../declarations/labels';
import {
  type Device,
  hostsBy,
  isNvme,
  type Protocol,
  reachedAt,
  type Target,
} from './commandParts';
import { connecting, growing } from './hostCommands';
import { NoInterface } from './NoInterface';
import { groupQuery, situationQuery } from './situation';

interface Props {
  svm: string;
  protocol: Protocol;
  /** The name of the igroup or subsystem. */
  group: string;
  device?: Device | undefined;
  /** Whether the device has grown, and the host is connected already. */
  isGrown?: boolean;
  /** Whether they are shown once somebody asks for them. */
  isFolded?: boolean;
}

/** Commands for the hosts of a group, by their operating system. */
export function HostCommands(props: Props) {
  const { svm, protocol, group: name, device, isGrown = false, isFolded = false } = props;
  const { t } = useTranslation();
  const situated = useQuery(situationQuery(svm, protocol));
  const grouped = useQuery(groupQuery(svm, protocol, name));
  if (situated.isPending || grouped.isPending) return <Loading isLine />;
  const [situation, group] = [situated.data, grouped.data];
  if (!situation || !group) return null;
  const target: Target = {
    protocol,
    name: isNvme(protocol) ? group.targetName : situation.targetName,
    addresses: situation.addresses,
    rdmaAddresses: situation.rdmaAddresses,
  };
  const parts =
    isGrown && device
      ? growing(group.osType, target, device)
      : connecting(group.osType, target, hostsBy(protocol, group.hosts), device);
  const about = `${name}, ${choiceLabel(t, protocol)}`;
  const list = (
    <ol className="host-commands">
      {parts.map(({ title, text }) => (
        <li key={title}>
          <div className="host-commands-head">
            <h3>{t(title)}</h3>
            <Button
              variant="link"
              size="sm"
              aria-label={`${t('Copy')}: ${t(title)}`}
              onClick={() => copy(text, t)}
            >
              {t('Copy')}
            </Button>
          </div>
          <pre tabIndex={0} aria-label={t(title)}>
            {text}
          </pre>
        </li>
      ))}
    </ol>
  );
  return (
    <section className="card" aria-label={`${t('Commands for the host')} ${about}`}>
      <h2>
        {t('Commands for the host')} <span className="quiet">{about}</span>
      </h2>
      {!reachedAt(target).length && <NoInterface protocol={protocol} component="h3" />}
      {reachedAt(target).length > 0 && !parts.length && (
        <>
          <p>
            {group.osType.startsWith('win') && protocol === 'nvme_tcp'
              ? t('Windows Server comes without an initiator for NVMe/TCP.')
              : t('For this operating system there are no commands here.')}
          </p>
          <dl className="host-facts">
            <dt>{t('Target')}</dt>
            <dd>{target.name}</dd>
            <dt>{t('Addresses')}</dt>
            <dd>{reachedAt(target).join(', ')}</dd>
          </dl>
        </>
      )}
      {isFolded && parts.length > 0 ? (
        <details>
          <summary>{t('Show the commands')}</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </section>
  );
}
