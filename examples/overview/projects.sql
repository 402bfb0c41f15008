CREATE TABLE projects (
	id         TEXT PRIMARY KEY,
	name       TEXT NOT NULL,
	lead       TEXT NOT NULL,
	repository TEXT NOT NULL -- owner/name at GitHub; empty if there is none
) STRICT;

CREATE TABLE tasks (
	id      INTEGER PRIMARY KEY,
	project TEXT NOT NULL REFERENCES projects,
	title   TEXT NOT NULL,
	state   TEXT NOT NULL CHECK (state IN ('open', 'done')),
	due     TEXT NOT NULL -- a date
) STRICT;

INSERT INTO projects VALUES
	('shop',       'Web shop',        'Mona Ito',   'acme/shop'),
	('shop-api',   'Shop API',        'Ada Novak',  'acme/shop-api'),
	('billing',    'Billing',         'Jan Okoro',  'acme/billing'),
	('onboarding', 'Staff onboarding', 'Lea Fischer', '');

INSERT INTO tasks (project, title, state, due) VALUES
	('shop',       'Guest checkout',               'open', '2026-12-04'),
	('shop',       'Product pictures in AVIF',     'done', '2026-11-13'),
	('shop',       'Accessible filters',           'open', '2026-12-18'),
	('shop-api',   'Reserve stock for 15 minutes', 'done', '2026-11-20'),
	('shop-api',   'Prices per country',           'open', '2026-12-01'),
	('shop-api',   'Retire version 1',             'open', '2027-01-29'),
	('shop-api',   'Read replicas',                'open', '2026-12-11'),
	('billing',    'E-invoices',                   'open', '2026-12-31'),
	('billing',    'Refund in parts',              'done', '2026-10-30'),
	('onboarding', 'First-week checklist',         'open', '2026-12-07');
