import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { formatTime } from '../../base/times';
import { State } from '../../resources/State';
import { historyQuery } from './software';

/** The last updates, newest first. */
export function History() {
  const { t, i18n } = useTranslation();
  const { data: updates = [] } = useQuery(historyQuery);
  if (!updates.length) return null;
  return (
    <section className="card" aria-label={t('Updates so far')}>
      <h2>{t('Updates so far')}</h2>
      <div className="figures-scroller" tabIndex={0} role="group" aria-label={t('Updates so far')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('Time')}</th>
              <th scope="col">{t('From')}</th>
              <th scope="col">{t('To')}</th>
              <th scope="col">{t('State')}</th>
              <th scope="col">{t('Message')}</th>
            </tr>
          </thead>
          <tbody>
            {updates.map((each) => (
              <tr key={each.uuid}>
                <td>{formatTime(each.end_time ?? each.start_time ?? '', i18n.language)}</td>
                <td>{each.from_version}</td>
                <td>{each.to_version}</td>
                <td>
                  <State value={each.state ?? 'unknown'} />
                </td>
                <td>{each.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
