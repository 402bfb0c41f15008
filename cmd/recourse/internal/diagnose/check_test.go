package diagnose

import (
	"slices"
	"strings"
	"testing"
)

// servers hold tools as servers in wide use name them; a star marks those
// that say readOnlyHint.
var servers = map[string]string{
	"github": `create_issue get_issue* list_issues* search_issues* issue_read* issue_write add_issue_comment sub_issue_write
		list_issue_types* create_pull_request pull_request_read* list_pull_requests* search_pull_requests*
		merge_pull_request update_pull_request update_pull_request_branch request_copilot_review create_branch list_branches*
		create_or_update_file push_files delete_file get_file_contents* create_repository fork_repository
		search_repositories* star_repository unstar_repository list_starred_repositories* create_gist update_gist get_gist* list_gists*
		label_write get_label* list_label* dismiss_notification get_notification_details* list_notifications*
		mark_all_notifications_read actions_run_trigger actions_get* actions_list* projects_write projects_get* projects_list*
		cancel_workflow_run get_workflow_run* list_workflow_runs* run_workflow list_workflows* assign_copilot_to_issue
		create_release get_latest_release* list_releases* list_commits* get_commit* search_code*`,
	"filesystem": `read_file* read_text_file* read_media_file* read_multiple_files* write_file edit_file create_directory
		list_directory* list_directory_with_sizes* directory_tree* move_file search_files* get_file_info* list_allowed_directories*`,
	"slack": `slack_list_channels slack_post_message slack_reply_to_thread slack_add_reaction slack_get_channel_history
		slack_get_thread_replies slack_get_users slack_get_user_profile`,
	"atlassian": `jira_create_issue jira_batch_create_issues jira_get_issue* jira_search* jira_update_issue jira_delete_issue
		jira_transition_issue jira_get_transitions* jira_add_comment jira_add_worklog jira_get_worklog* jira_create_sprint
		jira_update_sprint jira_get_sprints_from_board* jira_get_sprint_issues* jira_link_to_epic jira_create_issue_link
		jira_get_link_types* jira_get_project_issues* confluence_create_page confluence_update_page confluence_get_page*
		confluence_get_page_children* confluence_delete_page confluence_add_comment confluence_get_comments*
		confluence_add_label confluence_get_labels* confluence_search*`,
	"rovo": `createJiraIssue editJiraIssue getJiraIssue* transitionJiraIssue getTransitionsForJiraIssue* addCommentToJiraIssue
		createConfluencePage updateConfluencePage getConfluencePage* getConfluencePageFooterComments* searchJiraIssuesUsingJql*`,
	"notion": `API-post-page API-patch-page API-retrieve-a-page API-retrieve-a-page-property API-patch-block-children
		API-get-block-children API-delete-a-block API-update-a-block API-retrieve-a-block API-create-a-comment
		API-retrieve-a-comment API-create-a-database API-retrieve-a-database API-post-database-query API-post-search API-get-users`,
	"stripe": `create_customer list_customers* create_product list_products* create_price list_prices* create_payment_link
		create_invoice list_invoices* create_invoice_item finalize_invoice retrieve_balance* create_refund
		list_payment_intents* list_subscriptions* cancel_subscription update_subscription create_coupon list_coupons*`,
	"memory": `create_entities create_relations add_observations delete_entities delete_observations delete_relations
		read_graph search_nodes open_nodes`,
	"playwright": `browser_click browser_close browser_file_upload browser_fill_form browser_navigate browser_network_requests*
		browser_console_messages* browser_snapshot* browser_tabs browser_take_screenshot* browser_type browser_select_option`,
	"git":        `git_status* git_diff* git_commit git_add git_reset git_log* git_create_branch git_branch* git_checkout git_show*`,
	"sqlite":     `read_query write_query create_table list_tables describe_table append_insight`,
	"supabase":   `create_project get_project* list_projects* pause_project create_branch delete_branch list_branches* merge_branch apply_migration list_migrations* deploy_edge_function get_edge_function* list_edge_functions* execute_sql`,
	"kubernetes": `pods_delete pods_get pods_list pods_list_in_namespace pods_log pods_run resources_create_or_update resources_get resources_list resources_delete namespaces_list helm_install helm_list`,
	"airtable":   `create_record get_record* list_records* search_records* update_records delete_records create_table list_tables* describe_table* create_field`,
	"calendar":   `create-event get-event list-events search-events update-event delete-event respond-to-event list-calendars`,
	"gmail":      `send_email draft_email read_email search_emails modify_email delete_email create_label list_email_labels create_filter get_filter list_filters delete_filter download_attachment`,
	"azure":      `wit_create_work_item wit_get_work_item wit_update_work_item wit_add_work_item_comment wit_list_work_item_comments wiki_create_or_update_page wiki_get_page_content repo_create_pull_request repo_get_pull_request_by_id core_list_projects`,
	"mongodb":    `insert-many update-many delete-many find* aggregate* create-collection list-collections* drop-collection collection-schema* create-index collection-indexes* list-databases* drop-database`,
	"sentry":     `create_project find_projects* update_project create_team find_teams* update_issue get_issue_details* search_issues* analyze_issue_with_seer`,
	"todoist":    `add-tasks find-tasks find-completed-tasks update-tasks complete-tasks delete-object add-comments find-comments`,
	"commander":  `read_file write_file edit_block create_directory list_directory start_process read_process_output list_processes kill_process get_config set_config_value`,
}

func tools(names string) []Tool {
	var tools []Tool
	for n := range strings.FieldsSeq(names) {
		name, readOnly := strings.CutSuffix(n, "*")
		tools = append(tools, Tool{name, readOnly})
	}
	return tools
}

// Each line: a server, then pairs of a tool and what can check it; - is nothing.
const checks = `
github      create_issue list_issues             update_issue get_issue           issue_write get_issue
github      create_pull_request list_pull_requests
github      merge_pull_request pull_request_read  update_pull_request_branch -     add_issue_comment -
github      sub_issue_write -                     create_branch list_branches      create_or_update_file get_file_contents
github      push_files get_file_contents          delete_file get_file_contents    create_repository search_repositories
github      fork_repository -                     star_repository list_starred_repositories
github      unstar_repository -                   update_gist get_gist             create_gist list_gists
github      label_write get_label                 dismiss_notification get_notification_details
github      mark_all_notifications_read -         actions_run_trigger -            projects_write projects_get
github      cancel_workflow_run get_workflow_run  run_workflow -                   request_copilot_review -
github      assign_copilot_to_issue -             create_release list_releases
filesystem  write_file read_file                  edit_file read_file              move_file read_file
filesystem  create_directory list_directory
slack       slack_post_message -                  slack_add_reaction -             slack_reply_to_thread -
atlassian   jira_create_issue jira_get_issue      jira_batch_create_issues jira_get_issue
atlassian   jira_transition_issue jira_get_issue  jira_add_comment -               jira_add_worklog jira_get_worklog
atlassian   jira_create_sprint jira_get_sprints_from_board                         jira_create_issue_link -
atlassian   jira_link_to_epic -                   confluence_create_page confluence_get_page
atlassian   confluence_add_comment confluence_get_comments                         confluence_add_label confluence_get_labels
rovo        createJiraIssue searchJiraIssuesUsingJql                               editJiraIssue getJiraIssue
rovo        addCommentToJiraIssue -               updateConfluencePage getConfluencePage
notion      API-post-page API-retrieve-a-page     API-patch-block-children API-get-block-children
notion      API-delete-a-block API-retrieve-a-block                                API-create-a-comment API-retrieve-a-comment
notion      API-post-search -                     API-post-database-query -
stripe      create_invoice list_invoices          create_invoice_item -            finalize_invoice list_invoices
stripe      create_payment_link -                 create_refund -                  cancel_subscription list_subscriptions
memory      create_entities -                     add_observations -
playwright  browser_click -                       browser_navigate -               browser_file_upload -
playwright  browser_type -                        browser_fill_form -              browser_close -
git         git_commit -                          git_create_branch git_branch     git_checkout -
sqlite      write_query read_query                create_table list_tables         append_insight -
supabase    deploy_edge_function get_edge_function                                 apply_migration -
supabase    pause_project get_project             delete_branch list_branches      execute_sql -
kubernetes  pods_delete pods_get                  pods_run -                       helm_install -
kubernetes  resources_create_or_update resources_get
airtable    create_record list_records            update_records get_record        create_field -
calendar    create-event list-events              update-event get-event           respond-to-event -
gmail       send_email search_emails              delete_email read_email          draft_email -
gmail       create_label -                        create_filter list_filters       delete_filter get_filter
azure       wit_update_work_item wit_get_work_item                                 wiki_create_or_update_page wiki_get_page_content
azure       wit_add_work_item_comment wit_list_work_item_comments
azure       repo_create_pull_request repo_get_pull_request_by_id
mongodb     insert-many -                         drop-collection list-collections create-index -
sentry      update_issue get_issue_details        create_team find_teams           analyze_issue_with_seer -
todoist     complete-tasks find-completed-tasks   add-tasks find-tasks             delete-object -
commander   kill_process list_processes           start_process list_processes     set_config_value -
`

func TestCheckOnRealServers(t *testing.T) {
	for line := range strings.Lines(strings.TrimSpace(checks)) {
		fields := strings.Fields(line)
		all := tools(servers[fields[0]])
		for pair := range slices.Chunk(fields[1:], 2) {
			want := strings.TrimPrefix(pair[1], "-")
			if got, ok := Check(pair[0], all); got != want || ok != (want != "") {
				t.Errorf("%s: %s is checked by %q, %v; want %q", fields[0], pair[0], got, ok, want)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct{ name, tool, tools, want string }{
		{"alone", "create_issue", "create_issue", ""},
		{"no tools known", "create_issue", "", ""},
		{"no name", "", "get_issue list_issues", ""},
		{"never itself", "get_or_create_user", "get_or_create_user", ""},
		{"what may create is no reader", "create_user", "get_or_create_user find_and_update_user getOrCreateUser", ""},
		{"whatever it claims", "create_user", "get_or_create_user* update_user*", ""},
		{"the hint makes a reader", "update_user", "user* user_sheet*", "user"},
		{"without it a noun is none", "update_user", "user", ""},
		{"the hint comes first", "update_user", "get_user fetch_user*", "fetch_user"},
		{"one item for a change", "update_user", "search_users list_users get_user", "get_user"},
		{"a list before a search", "update_user", "search_users list_users", "list_users"},
		{"for a new thing a list, as its id is not known", "create_user", "get_user search_users list_users", "list_users"},
		{"if there is one", "create_user", "get_user", "get_user"},
		{"the prefix of all", "github_create_pull_request", "github_create_pull_request github_get_pull_request github_get_me", "github_get_pull_request"},
		{"a prefix is no noun", "crm_create", "crm_create crm_get_settings crm_search", ""},
		{"unless there is no other", "crm_create", "crm_create crm_delete crm_search", "crm_search"},
		{"camel case", "createIssue", "getIssue deleteIssue", "getIssue"},
		{"acronyms", "createHTMLPage", "getHtmlPage", "getHtmlPage"},
		{"broken characters", "create\xffissue", "get\xfe\xfdissue", "get\xfe\xfdissue"},
		{"styles mixed", "repo.create-issue", "repo.get_issue", "repo.get_issue"},
		{"plurals", "delete_query", "list_queries", "list_queries"},
		{"more plurals", "delete_status", "list_statuses", "list_statuses"},
		{"participle", "send_mail", "list_mail_folders list_sent_mail", "list_sent_mail"},
		{"other participle", "send_mail", "list_deleted_mail list_starred_mail", ""},
		{"another noun", "send_mail", "list_mails_drafts get_mailbox list_contacts", ""},
		{"more than the noun", "create_issue", "get_issue_comments list_issue_labels list_closed_issues", ""},
		{"less than the noun", "create_pull_request", "get_request list_pulls", ""},
		{"where it was added", "add_user_to_group", "get_user get_group list_group_users", "list_group_users"},
		{"what is read from where", "add_message_to_channel", "get_messages_from_channel list_channels", "get_messages_from_channel"},
		{"the effect lies elsewhere", "book_flight", "search_flights get_flight", ""},
		{"so here", "apply_coupon", "get_coupon list_coupons", ""},
		{"and here", "copy_file", "get_file_info* read_file*", ""},
		{"nothing to check", "search_flights", "list_flights get_flight", ""},
		{"verb last", "issue_write", "issue_read list_issues", "issue_read"},
		{"verbs last", "pages_create_or_update", "pages_create_or_update pages_get", "pages_get"},
		{"noun that is a verb elsewhere", "create_post", "get_post post_comment", "get_post"},
		{"not in letters", "创建_发票", "获取_发票*", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := Check(tt.tool, tools(tt.tools)); got != tt.want || ok != (tt.want != "") {
				t.Errorf("%s is checked by %q, %v; want %q", tt.tool, got, ok, tt.want)
			}
		})
	}
}

// Names come from a server: none may be a trap.
func FuzzCheck(f *testing.F) {
	f.Add("create_issue", "get_issue", "list_issues")
	f.Add("", "_", "-")
	f.Add("delete_user", "list_deleted", "get_and_or")
	f.Add("or", "create_or", "or_or_create")
	f.Add("to_in_from", "get_to", "in")
	f.Add("\xff", "Éa", "es_s_e")
	f.Fuzz(func(t *testing.T, tool, a, b string) {
		for _, readOnly := range []bool{false, true} {
			got, ok := Check(tool, []Tool{{a, readOnly}, {tool, readOnly}, {b, readOnly}})
			if ok != (got != "") && a != "" && b != "" || ok && got == tool || ok && got != a && got != b {
				t.Errorf("Check(%q, %q, %q) = %q, %v", tool, a, b, got, ok)
			}
		}
	})
}
