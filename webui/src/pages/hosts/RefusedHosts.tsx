import { Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { call, type Page } from '../../api/client';
import { useGo } from '../../base/address';
import { Identifier } from '../../base/Identifier';
import { PageLink } from '../../base/PageLink';
import { formatTime } from '../../base/times';
import { State } from '../../resources/State';
import { useDisabledReason } from '../../session/useSession';
import { IGROUPS, interfacePage, keyOf, type Named, type Refused } from './records';

const MOST = 20;

/** Hosts that were refused, and the remedy for each. */
export function RefusedHosts({ refused }: { refused: readonly Refused[] }) {
  const { t, i18n } = useTranslation();
  return (
    <section className="card" aria-label={t('Refused hosts')}>
      <h2>{t('Refused hosts')}</h2>
      <p className="quiet">
        {t('They tried to log in and were refused. They chose their names themselves.')}
      </p>
      <div
        className="figures-scroller"
        role="region"
        aria-label={t('Table of refused hosts')}
        tabIndex={0}
      >
        <table className="table refused-table">
          <thead>
            <tr>
              <th scope="col">{t('Initiator')}</th>
              <th scope="col">{t('State')}</th>
              <th scope="col">{t('Where')}</th>
              <th scope="col" className="is-number">
                {t('Attempts')}
              </th>
              <th scope="col">{t('Last time')}</th>
              <th scope="col">{t('What helps')}</th>
            </tr>
          </thead>
          <tbody>
            {refused.map((each) => (
              <tr key={keyOf(each)}>
                <td>
                  <Identifier text={each.initiator.name} />{' '}
                  <span className="quiet">{each.initiator.address}</span>
                </td>
                <td>
                  <State value={each.reason} />
                </td>
                <td>
                  <PageLink to={`/svm/svms/${each.svm.uuid}`}>{each.svm.name}</PageLink>{' '}
                  <Where refused={each} />
                </td>
                <td className="is-number">{each.count}</td>
                <td>
                  <time dateTime={each.last_time}>{formatTime(each.last_time, i18n.language)}</time>
                </td>
                <td className="refused-help">
                  <span>{each.message}</span> <Remedy refused={each} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Where({ refused: { interface: lif, subsystem } }: { refused: Refused }) {
  if (subsystem)
    return (
      <PageLink to={`/protocols/nvme/subsystems/${subsystem.uuid}`}>{subsystem.name}</PageLink>
    );
  return lif ? <PageLink to={interfacePage(lif)}>{lif.name}</PageLink> : null;
}

function Remedy({ refused }: { refused: Refused }) {
  const { t } = useTranslation();
  const { subsystem, reason } = refused;
  if (reason === 'not_authenticated' && subsystem)
    return (
      <PageLink to={`/protocols/nvme/subsystems/${subsystem.uuid}/hosts`}>
        {t('Compare the key')}
      </PageLink>
    );
  if (reason === 'not_authenticated')
    return (
      <PageLink to={`/protocols/san/iscsi/credentials?svm.name=${refused.svm.name}`}>
        {t('Compare the credential')}
      </PageLink>
    );
  if (subsystem)
    return (
      <PageLink to={`/protocols/nvme/subsystems/${subsystem.uuid}/hosts/~new`}>
        {t('Add to the subsystem')}
      </PageLink>
    );
  return <AddToIgroup refused={refused} />;
}

/** Leads to the form of an initiator of an igroup, or of a new igroup. */
function AddToIgroup({ refused: { svm, interface: lif } }: { refused: Refused }) {
  const { t } = useTranslation();
  const go = useGo();
  const [isOpen, setOpen] = useState(false);
  const reason = useDisabledReason()('POST', IGROUPS);
  const protocol = lif?.wwpn ? 'fcp' : 'iscsi';
  const { data } = useQuery({
    queryKey: ['igroups', svm.uuid, protocol],
    meta: { shows: [IGROUPS] },
    enabled: isOpen,
    queryFn: ({ signal }) =>
      call<Page>(
        'GET',
        IGROUPS,
        { 'svm.uuid': svm.uuid, protocol: `${protocol}|mixed`, max_records: MOST },
        undefined,
        signal,
      ),
  });
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setOpen}
      isScrollable
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          isExpanded={isOpen}
          isDisabled={Boolean(reason)}
          title={reason}
          onClick={() => setOpen(!isOpen)}
        >
          {t('Add to an igroup')}
        </MenuToggle>
      )}
    >
      <DropdownList>
        {(data?.records as Named[] | undefined)?.map(({ name, uuid }) => (
          <DropdownItem key={uuid} onClick={() => go(`/${IGROUPS}/${uuid}/initiators/~new`)}>
            {name}
          </DropdownItem>
        ))}
        <DropdownItem onClick={() => go(`/${IGROUPS}/~new`)}>{t('A new igroup')}</DropdownItem>
      </DropdownList>
    </Dropdown>
  );
}
