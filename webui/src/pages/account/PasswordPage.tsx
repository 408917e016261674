import { useTranslation } from 'react-i18next';

import { PageHead } from '../../resources/PageHead';
import { PasswordForm } from '../../session/PasswordForm';
import { useGo } from '../../shell/address';
import { tell } from '../../shell/notice';

export default function PasswordPage() {
  const { t } = useTranslation();
  const go = useGo();
  return (
    <div className="page page-narrow">
      <PageHead title={t('Change password')} />
      <div className="card">
        <PasswordForm
          onDone={() => {
            tell('success', t('Your password was changed'));
            go('/');
          }}
        />
      </div>
    </div>
  );
}
