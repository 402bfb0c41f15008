package diagnose

import "testing"

func TestReadingField(t *testing.T) {
	for text, want := range map[string]string{
		`a value for "heading" is required`:                                "/heading",
		`Missing required parameter: channel_id`:                           "/channel_id",
		`missing 1 required positional argument: 'url'`:                    "/url",
		`create() got an unexpected keyword argument 'colour'`:             "/colour",
		"The `title` field is required":                                    "/title",
		`Additional properties are not allowed ('verbose' was unexpected)`: "/verbose",
		`limit must be between 1 and 100`:                                  "/limit",
		`parameter "filter.city" must be a string`:                         "/filter/city",
		`Invalid resourceId: -1. Must be a finite positive integer.`:       "/resourceId",
		`'banana' is not a valid currency code`:                            "",
		`No recipient was given`:                                           "",
		`The "title" field was not found`:                                  "", // another family
	} {
		if got := Read(text); got.Field != want {
			t.Errorf("%s: field %q of %s, want %q", text, got.Field, got.Code, want)
		}
	}
}
