import { useTranslation } from 'react-i18next';

import { PageLink } from '../../base/PageLink';
import { resourceTitle } from '../../declarations/labels';
import { State } from '../../resources/State';
import type { ObjectCount, Overview } from './overview';

/** The kinds in the order of a look at an array, each with the field that has its state. */
const KINDS: Record<string, string> = {
  'storage/aggregates': 'state',
  'storage/disks': 'state',
  'svm/svms': 'state',
  'storage/volumes': 'state',
  'storage/luns': 'status.state',
  'storage/namespaces': 'status.state',
  'network/ip/interfaces': 'state',
  'protocols/san/igroups': '',
  'protocols/nvme/subsystems': '',
};

/** How many objects there are, and which are not as they should be. */
export function Health({ overview }: { overview: Overview }) {
  const { t, i18n } = useTranslation();
  const kinds = Map.groupBy(overview.objects ?? [], ({ kind }) => kind ?? '');
  const format = new Intl.NumberFormat(i18n.language);
  const faults = overview.faults;
  return (
    <section className="card tile" aria-label={t('Health')}>
      <h2>{t('Health')}</h2>
      <ul className="health">
        {Object.entries(KINDS)
          .filter(([kind]) => kinds.has(kind))
          .map(([kind, field]) => (
            <li key={kind}>
              <PageLink to={`/${kind}`}>{resourceTitle(t, kind)}</PageLink>
              <span className="health-states">
                {kinds
                  .get(kind)!
                  .filter(({ is_bad }) => is_bad)
                  .map((each) => (
                    <Wrong key={each.state} {...{ kind, field, each }} />
                  ))}
                <span className="figure">
                  {format.format(kinds.get(kind)!.reduce((sum, { count = 0 }) => sum + count, 0))}
                </span>
              </span>
            </li>
          ))}
      </ul>
      {Boolean(faults?.count) && (
        <>
          <h3>{t('Not as it should be: {{number}}', { number: faults?.count })}</h3>
          <ul className="faults">
            {faults?.some?.map(({ kind, key, message }) => (
              <li key={`${kind}/${key}`}>
                <PageLink to={`/${kind}/${key}`}>{resourceTitle(t, kind ?? '')}</PageLink> {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Wrong({ kind, field, each }: { kind: string; field: string; each: ObjectCount }) {
  const filter = new URLSearchParams({ [field]: each.state ?? '' });
  if (kind === 'network/ip/interfaces') filter.set('enabled', 'true');
  return (
    <PageLink to={`/${kind}?${filter}`}>
      {each.count} × <State value={each.state ?? 'unknown'} />
    </PageLink>
  );
}
