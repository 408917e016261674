import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { Loading } from '../../base/Loading';
import type { Typed } from '../../resources/form/values';
import type { Protocol } from './commandParts';
import { arrayPortsQuery, chosenPorts, seenPortsQuery } from './fibreChannel';
import { Offers } from './Offers';

interface FcPortsProps {
  svm: string;
  protocol: Protocol;
  value: Typed | undefined;
  error: string;
  onChange: (value: string) => void;
}

/** The array's ports at which hosts are to reach the SVM. Where it has interfaces, they are used. */
export function FcPorts({ svm, protocol, value, error, onChange }: FcPortsProps) {
  const { t } = useTranslation();
  const { data: ports, isPending } = useQuery(arrayPortsQuery(svm, protocol));
  if (isPending) return <Loading isLine />;
  if (!ports) return null;
  return (
    <Offers
      name="ports"
      label={t('Ports of the array')}
      help={
        ports.length
          ? t('A new interface at each where the SVM has none.')
          : t('No Fibre Channel port of the array serves this protocol.')
      }
      offers={ports.map((port) => ({
        value: port.name,
        note: [port.wwpn, port.interface, !port.isOnline && t('no link')]
          .filter(Boolean)
          .join(', '),
        isFixed: port.interface !== undefined,
      }))}
      chosen={chosenPorts(ports, value).map(({ name }) => name)}
      error={error}
      onChange={(names) => onChange(names.join(' '))}
    />
  );
}

interface SeenPortsProps {
  svm: string;
  value: string;
  onChange: (value: string) => void;
}

/** Ports of hosts that the array knows of; ticked ones are in the text of the field above. */
export function SeenPorts({ svm, value, onChange }: SeenPortsProps) {
  const { t } = useTranslation();
  const { data: ports, isPending } = useQuery(seenPortsQuery(svm));
  if (isPending) return <Loading isLine />;
  if (!ports?.length) return null;
  return (
    <Offers
      name="seen"
      label={t('Ports that were seen')}
      help={t(
        'In the fabric, logged in, refused, or with an alias. They may be those of other hosts.',
      )}
      offers={ports.map(({ wwpn, names, isRefused }) => ({
        value: wwpn,
        note: [...names, isRefused && t('refused')].filter(Boolean).join(', '),
      }))}
      chosen={value.split(/\s+/)}
      onChange={(names) => onChange(names.filter(Boolean).join(' '))}
    />
  );
}
